import { expect, test } from 'vitest';
import { isLocalRequest, isLoopbackHost } from './local-request.ts';

const settings = { appBaseUrl: 'http://localhost:8787', trustedProxyHops: 0 };
const request = (
  remoteAddress: string | undefined,
  headers: Record<string, string> = {},
  httpVersion = '1.1',
) => ({ socket: { remoteAddress }, headers: { host: 'localhost:8787', ...headers }, httpVersion });

test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('[T25] the peer %s is local', (peer) => {
  expect(isLocalRequest(request(peer), settings)).toBe(true);
});

test.each([
  '192.0.2.1',
  '10.0.0.1',
  '172.17.0.1',
  '::ffff:192.0.2.1',
  '::',
  '0.0.0.0',
  'fe80::1',
  '',
  undefined,
])('[T25] the peer %s is not local', (peer) => {
  expect(isLocalRequest(request(peer), settings)).toBe(false);
});

test.each([
  'localhost',
  'LOCALHOST:80',
  'svc.localhost',
  'a.b.localhost:1',
  '127.0.0.1:8787',
  '127.255.0.9',
  '[::1]:8787',
])('[T25] the host %s is loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  '',
  'svc.test',
  'localhost.evil.test',
  '127.0.0.1.evil.test',
  '127.0.0.1.nip.io:80',
  'evil-localhost',
  'localhost.',
  '.localhost',
  '127.1',
  '127.0.0.999',
  '0x7f.0.0.1',
  '2130706433',
  '0.0.0.0',
  '[::ffff:127.0.0.1]',
  '[::]',
  '::1',
  '128.0.0.1',
  'localhost@evil.test',
  'localhost:80:80',
  'localhost,evil.test',
])('[T25] the host "%s" is not loopback', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
  expect(isLocalRequest(request('127.0.0.1', { host }), settings)).toBe(false);
});

test.each([
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-anything',
  'x-real-ip',
  'via',
])('[T25] with the header %s a request is not local, even if it is empty', (name) => {
  expect(isLocalRequest(request('127.0.0.1', { [name]: '' }), settings)).toBe(false);
});

test('[T25] with trusted proxies, another origin or HTTP/1.0 no request is local', () => {
  const local = request('127.0.0.1');
  expect(isLocalRequest(local, settings)).toBe(true);
  expect(isLocalRequest(local, { ...settings, trustedProxyHops: 1 })).toBe(false);
  for (const appBaseUrl of ['https://reports.test', 'http://192.0.2.1', 'http://localhost.evil.test'])
    expect(isLocalRequest(local, { ...settings, appBaseUrl })).toBe(false);
  expect(isLocalRequest(request('127.0.0.1', {}, '1.0'), settings)).toBe(false);
});
