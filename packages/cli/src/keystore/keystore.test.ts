/** The behaviour of every keystore, and which one is used. The system's keyring is tested where this machine has one. */
import { chmod, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFileKeystore } from './file.ts';
import { KeystoreError, type Keystore } from './keystore.ts';
import { openCredentials } from './open-keystore.ts';
import { createSystemKeystore } from './system.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'svc-keystore-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const first = 'https://svc.example.com';
const second = 'http://localhost:8787';

/** A name of its own, so that tests never touch the secrets of the person who runs them. */
const system = createSystemKeystore(`svc-test-${randomUUID()}`);
const hasSystem = await isUsable(system);

async function isUsable(keystore: Keystore): Promise<boolean> {
  try {
    await keystore.write('probe', 'x');
    return await keystore.remove('probe');
  } catch (error) {
    if (error instanceof KeystoreError) return false;
    throw error;
  }
}

describe.each([
  { name: 'file', isHere: true, open: () => createFileKeystore(path.join(folder, 'contract')) },
  { name: 'system', isHere: hasSystem, open: () => system },
])('the keystore of the $name', ({ isHere, open }) => {
  test.skipIf(!isHere)('returns the stored credential of each service until it is removed', async () => {
    const keystore = open();
    expect(await keystore.read(first)).toBeNull();
    await keystore.write(first, 'one');
    await keystore.write(second, 'two');
    expect(await keystore.read(first)).toBe('one');
    expect(await keystore.read(second)).toBe('two');
    expect(await keystore.remove(first)).toBe(true);
    expect(await keystore.remove(first)).toBe(false);
    expect(await keystore.read(first)).toBeNull();
    expect(await keystore.read(second)).toBe('two');
    await keystore.remove(second);
  });

  test.skipIf(!isHere)('replaces the first credential with a second', async () => {
    const keystore = open();
    await keystore.write(first, 'old');
    await keystore.write(first, 'new');
    expect(await keystore.read(first)).toBe('new');
    await keystore.remove(first);
  });
});

test.skipIf(process.platform === 'win32')(
  'the file is readable by its owner only, and no other file is left behind',
  async () => {
    const home = path.join(folder, 'private');
    await createFileKeystore(home).write(first, 'secret');
    const files = await readdir(path.join(home, 'credentials'));
    expect(files).toEqual([encodeURIComponent(first)]);
    expect((await stat(path.join(home, 'credentials', files[0]!))).mode & 0o777).toBe(0o600);
  },
);

test.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
  'a folder that is not writable causes an error that does not contain the credential',
  async () => {
    const home = path.join(folder, 'closed');
    await createFileKeystore(home).write(first, 'old');
    await chmod(path.join(home, 'credentials'), 0o500);
    await expect(createFileKeystore(home).write(first, 'secret')).rejects.not.toThrow(/secret/);
    await chmod(path.join(home, 'credentials'), 0o700);
  },
);

describe('the keystore that is used', () => {
  /** An in-memory keyring that can be unavailable. */
  function keyring(works: boolean): Keystore & { readonly held: Map<string, string> } {
    const held = new Map<string, string>();
    const guarded = <Result>(work: () => Result) =>
      works ? Promise.resolve(work()) : Promise.reject(new KeystoreError('locked'));
    return {
      kind: 'system',
      held,
      read: (origin) => guarded(() => held.get(origin) ?? null),
      write: (origin, credential) => guarded(() => void held.set(origin, credential)),
      remove: (origin) => guarded(() => held.delete(origin)),
    };
  }
  const open = (works: boolean, environment = {}) => {
    const home = path.join(folder, randomUUID());
    const keystores = { system: keyring(works), file: createFileKeystore(home) };
    return { ...keystores, credentials: openCredentials(environment, home, keystores) };
  };

  test('is the keyring where it works, and no credential stays in the file', async () => {
    const { credentials, system: ring, file } = open(true);
    await file.write(first, 'old');
    expect(await credentials.write(first, 'new')).toBe('system');
    expect(ring.held.get(first)).toBe('new');
    expect(await file.read(first)).toBeNull();
    expect(await credentials.read(first)).toBe('new');
  });

  test('is the file where there is no keyring', async () => {
    const { credentials, file } = open(false);
    expect(await credentials.read(first)).toBeNull();
    expect(await credentials.write(first, 'one')).toBe('file');
    expect(await file.read(first)).toBe('one');
    expect(await credentials.remove(first)).toBe(true);
    expect(await credentials.read(first)).toBeNull();
  });

  test('is the keyring as well as the file when a credential is removed', async () => {
    const { credentials, system: ring, file } = open(true);
    ring.held.set(first, 'one');
    await file.write(first, 'two');
    expect(await credentials.remove(first)).toBe(true);
    expect(await credentials.read(first)).toBeNull();
  });

  test('is the one in SVC_KEYSTORE, and an unavailable keyring is then an error', async () => {
    const file = open(true, { SVC_KEYSTORE: 'file' });
    expect(await file.credentials.write(first, 'one')).toBe('file');
    expect(file.system.held.size).toBe(0);
    const ring = open(false, { SVC_KEYSTORE: 'system' });
    await expect(ring.credentials.write(first, 'one')).rejects.toMatchObject({ reason: 'failed' });
    await expect(ring.credentials.read(first)).rejects.toMatchObject({ reason: 'failed' });
    expect(await ring.file.read(first)).toBeNull();
  });

  test('cannot be chosen by another value of SVC_KEYSTORE, which is a usage error', () => {
    expect(() => open(true, { SVC_KEYSTORE: 'vault' })).toThrow(expect.objectContaining({ reason: 'usage' }));
  });
});
