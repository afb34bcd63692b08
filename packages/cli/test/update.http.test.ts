/**
 * A release from its signature to the running program: the real service serves the manifest, and the real program applies
 * it.
 */
import { readFileSync } from 'node:fs';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startServer } from '@svc/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { generateKey } from '../src/manifest/keys.ts';
import { version } from '../src/version.ts';
import {
  digestOf,
  endlessly,
  installedMachine,
  NEXT,
  releaseOf,
  signed,
  startReleaseService,
  type ReleaseService,
} from './releases.ts';
import { containing, jsonOf } from './svc.ts';

const key = generateKey();
let service: ReleaseService;
beforeAll(async () => {
  service = await startReleaseService();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  const { programs, next, address } = service;
  programs.files.clear();
  programs.files.set(`/svc-${NEXT}.mjs`, next);
  await service.publish(signed(releaseOf(next, address), key));
});
const released = (changes: Parameters<typeof releaseOf>[2] = {}) =>
  releaseOf(service.next, service.address, changes);

describe('a valid release', () => {
  test('[D14] is offered by check, which installs nothing, and then runs after apply', async () => {
    await using machine = await installedMachine(service.url, [key]);
    const before = await machine.installed();
    const { code, stdout } = await machine.svc(['update', 'check', '--json']);
    expect(code).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({
      installed: version,
      available: NEXT,
      state: 'available',
      isUrgent: false,
      channel: 'stable',
      keyIds: [key.publicKey.keyId],
    });
    expect(await machine.installed()).toEqual(before);

    const applied = await machine.svc(['update', 'apply', '--json']);
    expect(applied).toMatchObject({ code: 0 });
    expect(jsonOf(applied.stdout)).toEqual({
      updated: true,
      from: version,
      to: NEXT,
      file: machine.program,
      previous: `${machine.program}.previous`,
    });
    expect(await machine.says()).toBe(`svc ${NEXT}\n`);
    const after = await machine.installed();
    expect(Object.keys(after)).toEqual(['svc.mjs', 'svc.mjs.previous']);
    expect(after['svc.mjs.previous']).toBe(before['svc.mjs']);
    expect(after['svc.mjs']).toContain(digestOf(service.next));
    expect((await stat(machine.program)).mode & 0o777).toBe(0o755);

    const again = await machine.start(['update', 'apply']).ended;
    expect(again).toMatchObject({ code: 0, stdout: containing(`${NEXT} is the newest`) });
    expect(await machine.installed()).toEqual(after);
  });

  test('[D14] is applied while the manifest is replaced repeatedly', async () => {
    await using machine = await installedMachine(service.url, [key]);
    const over = new AbortController();
    const replacing = (async () => {
      for (let turn = 0; !over.signal.aborted; turn += 1) {
        const content = signed(released({ revokedVersions: [`0.0.${turn % 9}`] }), key);
        await service.publish(content);
        await new Promise((resolve) => {
          setImmediate(resolve);
        });
      }
    })();
    const applied = await machine.svc(['update', 'apply']);
    over.abort();
    await replacing;
    expect(applied).toMatchObject({ code: 0 });
    expect(digestOf(readFileSync(machine.program))).toBe(digestOf(service.next));
  });

  test('[D14] replaces the target of a link, also under a name without an extension', async () => {
    await using machine = await installedMachine(service.url, [key], 'svc');
    const link = path.join(machine.folder, 'svc');
    await symlink(machine.program, link);
    expect((await machine.svc(['update', 'apply'])).code).toBe(0);
    expect(digestOf(readFileSync(machine.program))).toBe(digestOf(service.next));
    expect(Object.keys(await machine.installed())).toEqual(['svc', 'svc.previous']);
  });

  test('[D14] is downloaded through a redirect', async () => {
    service.programs.files.set(`/svc-${NEXT}.mjs`, (_, response) => {
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    service.programs.files.set('/elsewhere', service.next);
    await using machine = await installedMachine(service.url, [key]);
    expect((await machine.svc(['update', 'apply'])).code).toBe(0);
    expect(digestOf(readFileSync(machine.program))).toBe(digestOf(service.next));
  });

  test('[D14] is reported as urgent if the running version was revoked', async () => {
    await service.publish(signed(released({ revokedVersions: [version] }), key));
    await using machine = await installedMachine(service.url, [key]);
    const { stdout } = await machine.svc(['update', 'check', '--json']);
    expect(jsonOf(stdout)).toMatchObject({ isUrgent: true });
    expect((await machine.svc(['update', 'check'])).stdout).toContain('revoked');
  });
});

describe('replaced keys', () => {
  const [old, following] = [generateKey(), generateKey()];

  test.each([
    ['the old key alone', [old]],
    ['the new key alone', [following]],
    ['both', [old, following]],
  ])('[D14] a release signed by both keys is accepted by a machine that trusts %s', async (_, trusted) => {
    await service.publish(signed(released(), old, following));
    await using machine = await installedMachine(service.url, trusted);
    const { code, stdout } = await machine.svc(['update', 'check', '--json']);
    expect(code).toBe(0);
    expect(jsonOf(stdout)).toMatchObject({ keyIds: trusted.map(({ publicKey }) => publicKey.keyId) });
  });

  test('[D14] keys and channel come from the configuration, and a variable takes precedence', async () => {
    await service.publish(signed(released({ channel: 'beta' }), following));
    await using machine = await installedMachine(service.url, []);
    const none = await machine.svc(['update', 'check', '--json']);
    expect(jsonOf(none.stdout)).toMatchObject({ error: { code: 'UPDATE_NO_KEYS' } });
    const config = path.join(machine.home, 'config');
    const settings = { channel: 'beta', keys: [following.publicKey.line] };
    await mkdir(config, { recursive: true });
    await writeFile(path.join(config, 'update.json'), JSON.stringify(settings));
    expect((await machine.svc(['update', 'check'])).code).toBe(0);
    const other = await machine.svc(['update', 'check', '--json'], { SVC_UPDATE_CHANNEL: 'stable' });
    expect(jsonOf(other.stdout)).toMatchObject({ error: { code: 'MANIFEST_OTHER_CHANNEL' } });
    const stranger = await machine.svc(['update', 'check', '--json'], {
      SVC_UPDATE_KEYS: old.publicKey.line,
    });
    expect(jsonOf(stranger.stdout)).toMatchObject({ error: { code: 'MANIFEST_UNTRUSTED' } });
    for (const variable of ['SVC_UPDATE_KEYS', 'SVC_UPDATE_CHANNEL']) {
      const wrong = await machine.svc(['update', 'check'], { [variable]: 'No Such' });
      expect(wrong).toMatchObject({ code: 3, stderr: containing(variable) });
    }
  });
});

describe('the record of seen releases', () => {
  test('[D14] never goes back: neither an older time nor a lower version is accepted again', async () => {
    await using machine = await installedMachine(service.url, [key]);
    const before = await machine.installed();
    const first = released();
    const later = released({
      version: '0.3.0',
      releasedAt: new Date(Date.now() - 1000).toISOString(),
    });
    await service.publish(signed(later, key));
    expect((await machine.svc(['update', 'check'])).code).toBe(0);
    await service.publish(signed(first, key));
    const stale = await machine.svc(['update', 'apply', '--json']);
    expect(jsonOf(stale.stdout)).toMatchObject({ error: { code: 'MANIFEST_STALE', reason: 'rejected' } });
    await service.publish(signed({ ...first, releasedAt: new Date().toISOString() }, key));
    const lower = await machine.svc(['update', 'apply', '--json']);
    expect(jsonOf(lower.stdout)).toMatchObject({ error: { code: 'MANIFEST_DOWNGRADE' } });
    expect(await machine.installed()).toEqual(before);
  });
});

describe('a signed program that does not work', () => {
  test.each([
    ['that ends immediately', 'process.exit(1);'],
    ['of another version', "console.log('svc 9.9.9');"],
    ['that is not a program', 'this is not a program'],
    ['that prints without end', endlessly('svc 0.2.0')],
  ])('[D14] %s leaves the old one in place', async (_, source) => {
    const broken = Buffer.from(source);
    service.programs.files.set('/broken.mjs', broken);
    await service.publish(signed(releaseOf(broken, `${service.programs.url}/broken.mjs`), key));
    await using machine = await installedMachine(service.url, [key]);
    const before = await machine.installed();
    const { code, stdout } = await machine.svc(['update', 'apply', '--json']);
    expect({ code, ...(jsonOf(stdout) as object) }).toMatchObject({
      code: 2,
      error: { code: 'ARTIFACT_BROKEN' },
    });
    expect(await machine.installed()).toEqual(before);
  });
});

describe('a service that accepts no old client', () => {
  test('[D15] its rejection leads to the update', async () => {
    await using strict = await startServer({ config: { clientVersions: { min: '9.0.0', revoked: [] } } });
    await using machine = await installedMachine(strict.url, [key]);
    const { code, stderr } = await machine.svc(['login', '--no-browser']);
    expect(code).toBe(1);
    expect(stderr).toContain('CLIENT_VERSION_TOO_OLD');
    expect(stderr).toContain('svc update apply');
    const absent = await machine.svc(['update', 'check', '--json']);
    expect(jsonOf(absent.stdout)).toMatchObject({ error: { code: 'MANIFEST_ABSENT' } });
  });
});

describe('a kill', () => {
  test('[T21] just after the download leaves a working program', async () => {
    await using machine = await installedMachine(service.url, [key]);
    const { child, ended } = machine.start(['update', 'apply']);
    service.programs.files.set(`/svc-${NEXT}.mjs`, (_, response) => {
      response.end(service.next, () => child.kill('SIGKILL'));
    });
    await ended;
    expect([`svc ${version}\n`, `svc ${NEXT}\n`]).toContain(await machine.says());
  });

  test('[T21] leaves files that the next update deletes, and two simultaneous updates install one program', async () => {
    await using machine = await installedMachine(service.url, [key]);
    await writeFile(
      path.join(path.dirname(machine.program), '.svc-update-left-svc.mjs'),
      'half of a program',
    );
    const both = await Promise.all([
      machine.svc(['update', 'apply', '--json']),
      machine.svc(['update', 'apply', '--json']),
    ]);
    const outcomes = both.map(({ code, stdout }) => [
      code,
      (jsonOf(stdout) as { error?: { code: string } }).error?.code,
    ]);
    expect(outcomes.map(String)).toContain('0,');
    expect(outcomes.map(String).every((outcome) => ['0,', '1,UPDATE_OVERTAKEN'].includes(outcome))).toBe(
      true,
    );
    expect(await machine.says()).toBe(`svc ${NEXT}\n`);
    expect(Object.keys(await machine.installed())).toEqual(['svc.mjs', 'svc.mjs.previous']);
  });
});
