import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileNameOf, originOf, rememberOrigin } from './origin.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-origin-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const given = (address: string, more: Record<string, string> = {}) =>
  originOf({ SVC_API_BASE_URL: address, ...more }, folder);

test.each([
  ['https://svc.example.com', 'https://svc.example.com'],
  ['https://svc.example.com/', 'https://svc.example.com'],
  ['https://svc.example.com/api/v1', 'https://svc.example.com'],
  ['https://svc.example.com:8443/api/v1/', 'https://svc.example.com:8443'],
  [' HTTPS://SVC.example.com ', 'https://svc.example.com'],
  ['http://localhost:8787', 'http://localhost:8787'],
  ['http://127.0.0.1:1', 'http://127.0.0.1:1'],
  ['http://[::1]:1', 'http://[::1]:1'],
  ['http://app.localhost', 'http://app.localhost'],
])('%s is the service at %s', async (address, origin) => {
  expect(await given(address)).toBe(origin);
});

test.each([
  'svc.example.com',
  'ftp://svc.example.com',
  'https://me:secret@svc.example.com',
  'https://svc.example.com/other',
  'https://svc.example.com/?a=1',
  'http://svc.example.com',
  'http://10.0.0.1',
  'http://localhost.example.com',
  'http://127.0.0.1.example.com',
  'http://127.1.example.com',
])('%s is rejected as a usage error', async (address) => {
  await expect(given(address)).rejects.toMatchObject({ reason: 'usage' });
});

test('a rejection does not repeat the password in an address', async () => {
  await expect(given('https://me:secret@svc.example.com')).rejects.not.toThrow(/secret/);
});

test('an unencrypted address is accepted with SVC_ALLOW_HTTP', async () => {
  expect(await given('http://svc.example.com', { SVC_ALLOW_HTTP: '1' })).toBe('http://svc.example.com');
});

test('without the variable, the remembered service is used, or the one on this machine if none is remembered', async () => {
  expect(await originOf({}, folder)).toBe('http://localhost:8787');
  await rememberOrigin(folder, 'https://svc.example.com');
  expect(await originOf({}, folder)).toBe('https://svc.example.com');
  expect(await given('https://other.example.com')).toBe('https://other.example.com');
});

test('different origins have different file names', () => {
  const names = ['https://a.b', 'http://a.b', 'https://a.b:80', 'https://a.b_80', 'https://a_b'].map(
    fileNameOf,
  );
  expect(new Set(names).size).toBe(names.length);
  expect(names.join('')).not.toMatch(/[/\\:]/);
});
