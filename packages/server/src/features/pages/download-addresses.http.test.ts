/** The program to install, over raw HTTP: with and without a release manifest. */
import { createHash } from 'node:crypto';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { RELEASE_PAYLOAD_TYPE, type OfferedProgram } from '@svc/contract';
import { bodyOf, firstDataOf, startServer, type TestServer } from '@svc/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const PROGRAM = '/download/svc.mjs';
const OFFERED = '/download/programs.json';
const NEVER_CACHED = 'private, no-store, must-revalidate';

let folder: string;
let program: string;
let manifest: string;
let server: TestServer;
/** Serves the releases of a manifest. */
let releasing: TestServer;
/** A service whose CLI was not built. */
let unbuilt: TestServer;

const first = Buffer.from(`#!/usr/bin/env node\n// ${'x'.repeat(400_000)}\n`);
const second = Buffer.from('#!/usr/bin/env node\nconsole.log(2)\n');
const sha256Of = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function replace(file: string, content: Buffer | string): Promise<void> {
  await writeFile(`${file}.new`, content);
  await rename(`${file}.new`, file);
}

interface Artifact {
  readonly platform: string;
  readonly arch: string;
  readonly url: string;
  readonly sha256: string;
  readonly size: number;
}

const artifactOf = (bytes: Buffer, fields: Partial<Artifact> = {}): Artifact => ({
  platform: 'linux',
  arch: 'x64',
  url: 'https://downloads.example.test/svc.mjs',
  sha256: sha256Of(bytes),
  size: bytes.length,
  ...fields,
});

function release(artifacts: readonly Artifact[]): string {
  const payload = {
    schemaVersion: 1,
    channel: 'stable',
    version: '1.4.0',
    releasedAt: '2026-01-01T00:00:00.000Z',
    expiresAt: '2026-02-01T00:00:00.000Z',
    minimumVersion: '1.0.0',
    revokedVersions: [],
    artifacts,
    unknown: 'field of a later version',
  };
  return JSON.stringify({
    payloadType: RELEASE_PAYLOAD_TYPE,
    payload: Buffer.from(JSON.stringify(payload)).toString('base64'),
    signatures: [{ keyid: 'k', sig: 's' }],
  });
}

const OPERATOR = 'operator@example.test';

async function offeredBy(of: TestServer): Promise<readonly OfferedProgram[]> {
  const response = await of.anonymous.fetch(OFFERED);
  expect(response.status).toBe(200);
  expect(response.headers.get('cache-control')).toBe(NEVER_CACHED);
  return ((await response.json()) as { programs: readonly OfferedProgram[] }).programs;
}

async function statusOf(of: TestServer): Promise<number> {
  const response = await of.anonymous.fetch(PROGRAM, { headers: { accept: 'text/html' } });
  await response.arrayBuffer();
  return response.status;
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-download-'));
  program = path.join(folder, 'svc.mjs');
  manifest = path.join(folder, 'manifest.json');
  await writeFile(program, first);
  [server, releasing, unbuilt] = await Promise.all([
    startServer({ program }),
    startServer({ program, config: { updateManifestPath: manifest, platformAdminEmail: OPERATOR } }),
    startServer({ program: path.join(folder, 'nothing') }),
  ]);
});
afterAll(async () => {
  await Promise.all([server, releasing, unbuilt].map((each) => each.close()));
  await rm(folder, { recursive: true });
});

describe('the program without a release manifest', () => {
  test('[T21] is served, whatever the cookie, as a file to save that browsers neither open nor sniff', async () => {
    await replace(program, first);
    const headers = { accept: 'text/html', 'accept-encoding': 'gzip, br', cookie: 'svc_session=x' };
    const response = await server.anonymous.fetch(PROGRAM, { headers });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, no-cache, no-transform',
      'content-disposition': 'attachment; filename="svc.mjs"',
      'content-length': String(first.length),
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'content-type': 'application/octet-stream',
      'cross-origin-resource-policy': 'same-origin',
      etag: `"${sha256Of(first)}"`,
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'x-request-id': expect.any(String),
    });
    for (const name of ['set-cookie', 'content-encoding']) expect(response.headers.get(name)).toBeNull();
    expect(Buffer.from(await response.arrayBuffer()).equals(first)).toBe(true);
  });

  test('HEAD returns what GET returns, without the body', async () => {
    const [head, got] = await Promise.all(
      ['HEAD', 'GET'].map((method) => server.anonymous.fetch(PROGRAM, { method })),
    );
    const withoutIds = (response: Response | undefined) =>
      Object.fromEntries(
        [...(response?.headers ?? [])].filter(
          ([name]) => !['connection', 'date', 'keep-alive', 'x-request-id'].includes(name),
        ),
      );
    expect(head?.status).toBe(200);
    expect(withoutIds(head)).toEqual(withoutIds(got));
    expect((await head?.arrayBuffer())?.byteLength).toBe(0);
    await got?.arrayBuffer();
  });

  test.each([
    ['its digest', () => `"${sha256Of(first)}"`, 304],
    [
      'its digest among others, as a proxy that compresses sends it',
      () => `"x", W/"${sha256Of(first)}"`,
      304,
    ],
    ['another digest', () => `"${sha256Of(second)}"`, 200],
  ])('a cache that asks with %s gets the right response', async (_, tag, status) => {
    await replace(program, first);
    const response = await server.anonymous.fetch(PROGRAM, { headers: { 'if-none-match': tag() } });
    expect(response.status).toBe(status);
    expect(response.headers.get('etag')).toBe(`"${sha256Of(first)}"`);
    expect(response.headers.get('cache-control')).toBe('public, no-cache, no-transform');
    expect((await response.arrayBuffer()).byteLength).toBe(status === 304 ? 0 : first.length);
  });

  test('after another build, the page, the list and the tag name the new digest', async () => {
    await replace(program, first);
    const own = { platform: null, arch: null, url: PROGRAM };
    expect(await offeredBy(server)).toEqual([{ ...own, sha256: sha256Of(first), sizeBytes: first.length }]);
    await replace(program, second);
    const programs = [{ ...own, sha256: sha256Of(second), sizeBytes: second.length }];
    expect(await offeredBy(server)).toEqual(programs);
    const document = await server.anonymous.fetch('/install', { headers: { accept: 'text/html' } });
    expect((await firstDataOf(document)).data).toContainEqual({ name: 'programs', body: { programs } });
    const response = await server.anonymous.fetch(PROGRAM);
    expect(response.headers.get('etag')).toBe(`"${sha256Of(second)}"`);
    expect(Buffer.from(await response.arrayBuffer()).equals(second)).toBe(true);
  });

  test('that was not built is not found, and not offered', async () => {
    const response = await unbuilt.anonymous.fetch(PROGRAM);
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(response.headers.get('cache-control')).toBe(NEVER_CACHED);
    expect(await offeredBy(unbuilt)).toEqual([]);
  });

  test.each(['/download', '/download/', '/download/svc.mjs/', '/download/sbom.cdx.json', '/download/..%2fx'])(
    'is the only file below /download, apart from the list of programs: %s is not found',
    async (address) => {
      expect((await server.anonymous.fetch(address)).status).toBe(404);
    },
  );
});

describe('the program with a release manifest', () => {
  test('[D17] has its version on the health page, while the manifest contains a release', async () => {
    const operator = await releasing.signUp({ email: OPERATOR });
    const offered = async () => bodyOf(await operator.api.getAdminHealth()).offeredRelease;
    await replace(manifest, release([artifactOf(first)]));
    expect(await offered()).toBe('1.4.0');
    for (const content of ['{}', 'no JSON']) {
      await replace(manifest, content);
      expect([content, await offered()]).toEqual([content, null]);
    }
  });

  test('is served while the manifest names its digest', async () => {
    await replace(program, first);
    await replace(manifest, release([artifactOf(first), artifactOf(second, { arch: 'arm64' })]));
    const response = await releasing.anonymous.fetch(PROGRAM);
    expect(response.status).toBe(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(first)).toBe(true);
    expect(await offeredBy(releasing)).toEqual([
      { platform: 'linux', arch: 'x64', url: PROGRAM, sha256: sha256Of(first), sizeBytes: first.length },
      {
        platform: 'linux',
        arch: 'arm64',
        url: 'https://downloads.example.test/svc.mjs',
        sha256: sha256Of(second),
        sizeBytes: second.length,
      },
    ]);
  });

  test('[T21] is not found, even by a conditional request, while the manifest names only other programs, which are offered instead', async () => {
    await replace(program, first);
    await replace(manifest, release([artifactOf(second)]));
    expect(await statusOf(releasing)).toBe(404);
    const known = { headers: { 'if-none-match': `"${sha256Of(first)}"` } };
    expect((await releasing.anonymous.fetch(PROGRAM, known)).status).toBe(404);
    expect((await releasing.anonymous.fetch(PROGRAM, { method: 'HEAD' })).status).toBe(404);
    expect((await offeredBy(releasing)).map(({ url }) => url)).toEqual([
      'https://downloads.example.test/svc.mjs',
    ]);
  });

  test.each([
    ['no signature envelope', '{}'],
    [
      'no JSON in the payload',
      JSON.stringify({ payloadType: RELEASE_PAYLOAD_TYPE, payload: 'eA==', signatures: [] }),
    ],
    ['another type', release([artifactOf(first)]).replace(RELEASE_PAYLOAD_TYPE, 'text/plain')],
    ['an address that is a script', release([artifactOf(first, { url: 'javascript:alert(1)' })])],
  ])('is not found with %s in the manifest', async (_, content) => {
    await replace(program, first);
    await replace(manifest, content);
    expect(await statusOf(releasing)).toBe(404);
    expect(await offeredBy(releasing)).toEqual([]);
  });

  test('is temporarily unavailable while the manifest cannot be used, and the page still loads', async () => {
    await rm(manifest, { force: true });
    for (const address of [PROGRAM, OFFERED]) {
      const response = await releasing.anonymous.fetch(address);
      expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
      expect(await response.text()).not.toContain(folder);
    }
    const document = await releasing.anonymous.fetch('/install', { headers: { accept: 'text/html' } });
    expect(document.status).toBe(200);
    expect((await firstDataOf(document)).data.map(({ name }) => name)).toEqual(['getSession']);
  });
});
