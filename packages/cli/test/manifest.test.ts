/** The operator's side of releases: keys are created, releases signed and verified, all without a network. */
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { generateKeyPairSync } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Release, ReleaseEnvelope } from '@svc/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { generateKey } from '../src/manifest/keys.ts';
import { digestOf, NEXT, releaseOf, signed } from './releases.ts';
import { containing, createMachine, jsonOf, type CommandResult, type Machine } from './svc.ts';

let machine: Machine;
let folder: string;
const inFolder = (name: string) => path.join(folder, name);

beforeAll(async () => {
  machine = await createMachine();
  folder = await mkdtemp(path.join(tmpdir(), 'svc-manifest-'));
  for (const name of ['release.key', 'next.key']) await svc('manifest', 'keygen', '--output', name);
  await writeFile(inFolder('svc.mjs'), 'the program');
  await writeFile(inFolder('release.json'), JSON.stringify(draft()));
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const svc = (...words: string[]): Promise<CommandResult> => machine.svc(words, {}, folder);

function draft(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schemaVersion: 1,
    channel: 'stable',
    version: '1.2.0',
    expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
    minimumVersion: '1.0.0',
    revokedVersions: ['1.1.0'],
    artifacts: [artifact()],
    ...changes,
  };
}

function artifact(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return { platform: 'linux', arch: 'x64', url: 'https://example.com/svc.mjs', file: 'svc.mjs', ...changes };
}

async function envelopeIn(name: string): Promise<{ envelope: ReleaseEnvelope; release: Release }> {
  const envelope = JSON.parse(await readFile(inFolder(name), 'utf8')) as ReleaseEnvelope;
  return { envelope, release: JSON.parse(Buffer.from(envelope.payload, 'base64').toString()) as Release };
}

describe('svc manifest keygen', () => {
  test('[D14] writes a private key for its owner only, and prints only the public one', async () => {
    const { code, stdout } = await svc('manifest', 'keygen', '--output', 'one.key', '--json');
    expect(code).toBe(0);
    const made = jsonOf(stdout) as Record<string, string>;
    expect(Object.keys(made)).toEqual(['publicKey', 'keyId', 'privateKeyFile', 'publicKeyFile']);
    expect((await stat(inFolder('one.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(inFolder('one.key.pub'), 'utf8')).toBe(`${made['publicKey']}\n`);
    expect(digestOf(Buffer.from(made['publicKey'] ?? '', 'base64'))).toBe(made['keyId']);
    const [, secret = ''] = (await readFile(inFolder('one.key'), 'utf8')).split('\n');
    expect(secret.length).toBeGreaterThan(40);
    expect(machine.printed()).not.toContain(secret.slice(-40));
  });

  test.each(['release.key', 'release.key.pub'])('[D14] replaces no file: %s', async (name) => {
    const before = await readFile(inFolder('release.key'), 'utf8');
    const output = name === 'release.key' ? name : 'another.key';
    if (output !== name) await writeFile(inFolder('another.key.pub'), 'somebody’s');
    const { code, stderr } = await svc('manifest', 'keygen', '--output', output);
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: containing('already exists') });
    expect(await readFile(inFolder('release.key'), 'utf8')).toBe(before);
    await expect(stat(inFolder(output === name ? 'release.key.pub.pub' : output))).rejects.toThrow('ENOENT');
  });

  test('[D14] requires an output file', async () => {
    expect(await svc('manifest', 'keygen')).toMatchObject({ code: 3, stderr: containing('--output') });
  });
});

describe('svc manifest sign', () => {
  test('[D14] reads size and digest from the file, and the time from the clock', async () => {
    const ended = await svc(
      'manifest',
      'sign',
      'release.json',
      '--key',
      'release.key',
      '--output',
      'one.json',
    );
    expect(ended).toMatchObject({ code: 0 });
    const { envelope, release } = await envelopeIn('one.json');
    expect(envelope).toMatchObject({
      payloadType: 'application/vnd.svc.release-manifest+json',
      signatures: [{ keyid: expect.stringMatching(/^[0-9a-f]{64}$/) }],
    });
    const { file: _file, ...described } = artifact();
    const program = Buffer.from('the program');
    expect(release.artifacts).toEqual([{ ...described, sha256: digestOf(program), size: program.length }]);
    expect(Math.abs(Date.parse(release.releasedAt) - Date.now())).toBeLessThan(60_000);
    const verified = await svc('manifest', 'verify', 'one.json', '--key', 'release.key.pub', '--json');
    expect(jsonOf(verified.stdout)).toMatchObject({ signatures: 1, release });
  });

  test('[D14] adds a signature to a signed release, over the same bytes', async () => {
    await svc('manifest', 'sign', 'release.json', '--key', 'release.key', '--output', 'two.json');
    const before = await envelopeIn('two.json');
    const again = ['manifest', 'sign', 'two.json', '--key', 'next.key', '--output', 'two.json'];
    expect((await svc(...again)).stderr).toContain('--force');
    expect(await svc(...again, '--force')).toMatchObject({ code: 0 });
    const after = await envelopeIn('two.json');
    expect(after.envelope.payload).toBe(before.envelope.payload);
    expect(after.envelope.signatures).toHaveLength(2);
    for (const name of ['release.key.pub', 'next.key.pub']) {
      expect(await svc('manifest', 'verify', 'two.json', '--key', name)).toMatchObject({ code: 0 });
    }
  });

  test('[D14] signs with several keys in one call', async () => {
    const ended = await svc(
      'manifest',
      'sign',
      'release.json',
      '--key',
      'release.key',
      'next.key',
      '--output',
      'both.json',
    );
    expect(ended).toMatchObject({ code: 0 });
    expect((await envelopeIn('both.json')).envelope.signatures).toHaveLength(2);
  });

  const past = new Date(Date.now() - 86_400_000).toISOString();
  const future = new Date(Date.now() + 7_200_000).toISOString();
  test.each<[string, unknown, string]>([
    ['an empty object', {}, '/version: is required'],
    ['a list', [], '/version: is required'],
    ['an unknown field', draft({ expires: past }), '/expires: is not a known field'],
    ['an invalid version', draft({ version: 'v1' }), '/version: must match'],
    ['a version with a leading zero', draft({ version: '1.02.0' }), '/version: must be a semantic version'],
    [
      'an expiry before the release time',
      draft({ releasedAt: future, expiresAt: past }),
      '/expiresAt: must be later than releasedAt',
    ],
    [
      'an expiry in the past',
      draft({ releasedAt: '2020-01-01T00:00:00Z', expiresAt: past }),
      '/expiresAt: has passed',
    ],
    ['a release time in the future', draft({ releasedAt: future }), '/releasedAt: must not be in the future'],
    [
      'its own version revoked',
      draft({ revokedVersions: ['1.2.0'] }),
      '/revokedVersions: must not name the version itself',
    ],
    [
      'a minimum version above its own',
      draft({ minimumVersion: '1.3.0' }),
      '/minimumVersion: must not be later than version',
    ],
    ['no program', draft({ artifacts: [] }), '/artifacts: '],
    [
      'a file that does not exist',
      draft({ artifacts: [artifact({ file: 'nothing' })] }),
      '/artifacts/0/file: cannot be read',
    ],
    [
      'neither a file nor its size',
      draft({ artifacts: [artifact({ file: undefined })] }),
      '/artifacts/0/sha256: is required',
    ],
    [
      'another size than the file has',
      draft({ artifacts: [artifact({ size: 7 })] }),
      '/artifacts/0/size: does not match the file, whose size is 11',
    ],
    [
      'two programs for one platform',
      draft({ artifacts: [artifact(), artifact()] }),
      '/artifacts/1: linux-x64 is listed twice',
    ],
    [
      'an address without https',
      draft({ artifacts: [artifact({ url: 'http://example.com/a' })] }),
      '/artifacts/0/url: must be an https',
    ],
  ])('[D14] rejects %s, and writes nothing', async (_, release, line) => {
    await writeFile(inFolder('wrong.json'), JSON.stringify(release));
    const ended = await svc(
      'manifest',
      'sign',
      'wrong.json',
      '--key',
      'release.key',
      '--output',
      'wrong.out',
      '--json',
    );
    expect(ended.code).toBe(2);
    const { error } = jsonOf(ended.stdout) as { error: { details: string[] } };
    expect(error.details).toContainEqual(containing(line));
    await expect(stat(inFolder('wrong.out'))).rejects.toThrow('ENOENT');
  });

  test.each([
    ['does not exist', 'no.key', 'the file does not exist'],
    ['others can read', 'open.key', 'chmod 600'],
    ['is a public one', 'public.key', 'does not contain an Ed25519 private key'],
    ['is of another kind', 'other.key', 'does not contain an Ed25519 private key'],
  ])('[D14] rejects a key that %s, and shows nothing of it', async (_, name, words) => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const other = privateKey.export({ format: 'pem', type: 'pkcs8' }).toString();
    await writeFile(inFolder('open.key'), await readFile(inFolder('release.key')));
    await chmod(inFolder('open.key'), 0o640);
    await writeFile(inFolder('public.key'), await readFile(inFolder('release.key.pub')), { mode: 0o600 });
    await writeFile(inFolder('other.key'), other, { mode: 0o600 });
    const ended = await svc('manifest', 'sign', 'release.json', '--key', name, '--output', 'rejected.json');
    expect(ended).toMatchObject({ code: 3, stdout: '', stderr: containing(words) });
    expect(ended.stderr).not.toContain(other.split('\n')[1]);
  });

  test('[D14] names missing arguments', async () => {
    const without = await svc('manifest', 'sign', 'release.json', '--output', 'x.json');
    expect(without).toMatchObject({ code: 3, stderr: containing('--key') });
    const nowhere = await svc('manifest', 'sign', 'release.json', '--key', 'release.key');
    expect(nowhere).toMatchObject({ code: 3, stderr: containing('--output') });
    const noJson = await svc('manifest', 'sign', 'svc.mjs', '--key', 'release.key', '--output', 'x.json');
    expect(noJson).toMatchObject({ code: 2, stderr: containing('not JSON') });
  });
});

describe('svc manifest verify', () => {
  beforeAll(() =>
    svc('manifest', 'sign', 'release.json', '--key', 'release.key', '--output', 'verified.json'),
  );

  test('[D14] also accepts a key as a line of text, and by default uses the keys that this svc trusts', async () => {
    const line = (await readFile(inFolder('release.key.pub'), 'utf8')).trim();
    expect(await svc('manifest', 'verify', 'verified.json', '--key', line)).toMatchObject({ code: 0 });
    const trusting = await machine.svc(
      ['manifest', 'verify', 'verified.json'],
      { SVC_UPDATE_KEYS: line },
      folder,
    );
    expect(trusting).toMatchObject({ code: 0, stdout: containing('linux-x64') });
    const none = await svc('manifest', 'verify', 'verified.json', '--json');
    expect(jsonOf(none.stdout)).toMatchObject({ error: { code: 'UPDATE_NO_KEYS' } });
  });

  const key = generateKey();
  const program = Buffer.from('the program');
  const from = (url: string, changes: Partial<Release> = {}) => releaseOf(program, url, changes);
  const past = new Date(Date.now() - 1000).toISOString();
  test.each<[string, string, Release]>([
    ['that has expired', 'MANIFEST_EXPIRED', from('https://example.com/a', { expiresAt: past })],
    ['that revokes itself', 'MANIFEST_REVOKED', from('https://example.com/a', { revokedVersions: [NEXT] })],
    ['with a program without https', 'ARTIFACT_ADDRESS', from('http://example.com/a')],
    ['with a password in an address', 'ARTIFACT_ADDRESS', from('https://user:word@example.com/a')],
  ])('[D14] rejects a release %s, as every client does', async (_, code, release) => {
    // `sign` would reject it as well.
    await writeFile(inFolder('bad.json'), signed(release, key));
    const ended = await svc('manifest', 'verify', 'bad.json', '--key', key.publicKey.line, '--json');
    expect(ended.code).toBe(2);
    expect(jsonOf(ended.stdout)).toMatchObject({ error: { code } });
  });

  test('[D14] rejects what no given key has signed, and an invalid key', async () => {
    const other = await svc('manifest', 'verify', 'verified.json', '--key', 'next.key.pub', '--json');
    expect(other.code).toBe(2);
    expect(jsonOf(other.stdout)).toMatchObject({ error: { code: 'MANIFEST_UNTRUSTED' } });
    const draftItself = await svc('manifest', 'verify', 'release.json', '--key', 'next.key.pub', '--json');
    expect(jsonOf(draftItself.stdout)).toMatchObject({ error: { code: 'MANIFEST_MALFORMED' } });
    const noKey = await svc('manifest', 'verify', 'verified.json', '--key', 'svc.mjs');
    expect(noKey).toMatchObject({ code: 3, stderr: containing('neither a public key nor') });
  });
});
