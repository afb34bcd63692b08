/** Invalid releases: each is rejected by the rule that it breaks, and the program is unchanged. */
import { gzipSync } from 'node:zlib';
import { sign } from 'node:crypto';
import { RELEASE_PAYLOAD_TYPE, type Release } from '@svc/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { preAuthEncoding } from '../src/manifest/envelope.ts';
import { generateKey } from '../src/manifest/keys.ts';
import { rejectionCodes } from '../src/manifest/rejections.ts';
import { version } from '../src/version.ts';
import {
  installedMachine,
  MANIFEST,
  NEXT,
  openFileServer,
  programOf,
  releaseOf,
  signed,
  type ResponseHandler,
  type FileServer,
  type InstalledMachine,
} from './releases.ts';
import { jsonOf } from './svc.ts';

const [key, stranger] = [generateKey(), generateKey()];
let files: FileServer;
let machine: InstalledMachine;
let next: Buffer;
let release: Release;

beforeAll(async () => {
  files = await openFileServer();
  machine = await installedMachine(files.url, [key]);
  next = programOf(NEXT);
  release = releaseOf(next, `${files.url}/svc.mjs`);
});
afterAll(async () => {
  await machine[Symbol.asyncDispose]();
  await files[Symbol.asyncDispose]();
});
beforeEach(() => {
  files.files.clear();
  files.files.set('/svc.mjs', next);
});

interface Envelope {
  payloadType: string;
  payload: string;
  signatures: { keyid: string; sig: string }[];
}

/** A valid envelope, with a change. */
function changed(change: (envelope: Envelope) => void, of: unknown = release): Buffer {
  const envelope = JSON.parse(signed(of, key).toString()) as Envelope;
  change(envelope);
  return Buffer.from(JSON.stringify(envelope));
}

const base64 = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64');
const of = (changes: Partial<Record<keyof Release, unknown>>) => signed({ ...release, ...changes }, key);
const text = (content: string) => Buffer.from(content);

/** Sends without end, as fast as the client receives. */
const endless: ResponseHandler = (_, response) => {
  const chunk = Buffer.alloc(65_536, 0x20);
  const write = () => {
    while (!response.destroyed && response.write(chunk));
  };
  response.writeHead(200).on('drain', write);
  write();
};
const compressed =
  (content: Uint8Array): ResponseHandler =>
  (_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(content));
  };
const redirected =
  (location: string): ResponseHandler =>
  (_, response) => {
    response.writeHead(307, { location }).end('elsewhere');
  };
const status =
  (code: number): ResponseHandler =>
  (_, response) => {
    response.writeHead(code).end('not now');
  };
/** Declares more than it sends, and disconnects. */
const cut =
  (content: Uint8Array, declared: number): ResponseHandler =>
  (_, response) => {
    response.writeHead(200, { 'content-length': declared });
    response.write(content, () => response.destroy());
  };

const manifests: readonly [name: string, code: string, content: () => Uint8Array | ResponseHandler][] = [
  ['no JSON', 'MANIFEST_MALFORMED', () => text('<html>')],
  ['half of an envelope', 'MANIFEST_MALFORMED', () => signed(release, key).subarray(0, 200)],
  ['an array', 'MANIFEST_MALFORMED', () => text(`[${signed(release, key).toString()}]`)],
  ['the release without an envelope', 'MANIFEST_MALFORMED', () => text(JSON.stringify(release))],
  [
    'no list of signatures',
    'MANIFEST_MALFORMED',
    () => text(JSON.stringify({ payloadType: RELEASE_PAYLOAD_TYPE, payload: base64(release) })),
  ],
  [
    'a payload that is not base64',
    'MANIFEST_MALFORMED',
    () => changed((envelope) => (envelope.payload = `${envelope.payload}*`)),
  ],
  [
    'one signature too many',
    'MANIFEST_MALFORMED',
    () =>
      changed(({ signatures }) =>
        signatures.push(...Array.from({ length: 16 }, () => ({ keyid: '', sig: '' }))),
      ),
  ],
  [
    'another type of payload',
    'MANIFEST_OTHER_TYPE',
    () => changed((envelope) => (envelope.payloadType = 'application/json')),
  ],
  ['no signature', 'MANIFEST_UNTRUSTED', () => changed((envelope) => (envelope.signatures = []))],
  ["a stranger's signature", 'MANIFEST_UNTRUSTED', () => signed(release, stranger)],
  [
    "a stranger's signature under the id of a trusted key",
    'MANIFEST_UNTRUSTED',
    () => text(signed(release, stranger).toString().replace(stranger.publicKey.keyId, key.publicKey.keyId)),
  ],
  [
    'another payload than the one that was signed',
    'MANIFEST_UNTRUSTED',
    () => changed((envelope) => (envelope.payload = base64({ ...release, version: '0.9.0' }))),
  ],
  [
    'the signature of another release',
    'MANIFEST_UNTRUSTED',
    () =>
      changed((envelope) => {
        const other = JSON.parse(of({ version: '0.9.0' }).toString()) as Envelope;
        envelope.signatures = other.signatures;
      }),
  ],
  [
    'a signature of the payload alone',
    'MANIFEST_UNTRUSTED',
    () =>
      changed((envelope) => {
        const sig = sign(null, Buffer.from(envelope.payload, 'base64'), key.key).toString('base64');
        envelope.signatures = [{ keyid: key.publicKey.keyId, sig }];
      }),
  ],
  [
    'a signature of the payload as another type',
    'MANIFEST_UNTRUSTED',
    () =>
      changed((envelope) => {
        const encoded = preAuthEncoding('application/json', Buffer.from(envelope.payload, 'base64'));
        envelope.signatures = [
          { keyid: key.publicKey.keyId, sig: sign(null, encoded, key.key).toString('base64') },
        ];
      }),
  ],
  ['a release of an unknown schema version', 'MANIFEST_INVALID', () => of({ schemaVersion: 2 })],
  ['something else that was signed', 'MANIFEST_INVALID', () => signed('hello', key)],
  ['an invalid version', 'MANIFEST_INVALID', () => of({ version: '01.2.3' })],
  ['an expiry before its release time', 'MANIFEST_INVALID', () => of({ releasedAt: release.expiresAt })],
  ['a minimum version above its own', 'MANIFEST_INVALID', () => of({ minimumVersion: '0.2.1' })],
  [
    'two programs for one platform',
    'MANIFEST_INVALID',
    () => of({ artifacts: [...release.artifacts, ...release.artifacts] }),
  ],
  ['another channel', 'MANIFEST_OTHER_CHANNEL', () => of({ channel: 'beta' })],
  [
    'an expiry in the past',
    'MANIFEST_EXPIRED',
    () => of({ expiresAt: new Date(Date.now() - 1000).toISOString() }),
  ],
  ['a lower version', 'MANIFEST_DOWNGRADE', () => of({ version: '0.0.9', minimumVersion: '0.0.1' })],
  [
    'a pre-release of the running version',
    'MANIFEST_DOWNGRADE',
    () => of({ version: `${version}-rc.1`, minimumVersion: '0.0.1' }),
  ],
  ['a version that it revokes itself', 'MANIFEST_REVOKED', () => of({ revokedVersions: ['0.0.1', NEXT] })],
  [
    'programs for other platforms only',
    'ARTIFACT_ABSENT',
    () => of({ artifacts: release.artifacts.map((artifact) => ({ ...artifact, arch: 'riscv64' })) }),
  ],
  [
    'more than 1 MiB',
    'MANIFEST_TOO_LARGE',
    () =>
      text(
        signed(release, key)
          .toString()
          .padEnd(1024 * 1024 + 1),
      ),
  ],
  ['no end', 'MANIFEST_TOO_LARGE', () => endless],
  ['a compressed body', 'MANIFEST_ENCODED', () => compressed(signed(release, key))],
  ['a redirect to another address', 'MANIFEST_REDIRECTED', () => redirected('/elsewhere')],
  ['a failure', 'MANIFEST_UNREACHABLE', () => status(503)],
  ['a connection that is cut off', 'MANIFEST_UNREACHABLE', () => cut(signed(release, key), 1_000_000)],
  ['nothing', 'MANIFEST_ABSENT', () => status(404)],
];

async function rejectedBy(code: string): Promise<void> {
  const { stdout, ...ended } = await machine.svc(['update', 'apply', '--json']);
  expect(jsonOf(stdout)).toMatchObject({
    error: { code, message: expect.stringMatching(/\.$/), hint: expect.stringMatching(/\w+/) },
  });
  expect([1, 2, 5]).toContain(ended.code);
}

describe('a manifest', () => {
  test.each(manifests)(
    '[D14] [T21] with %s is rejected as %s, and nothing is written anywhere',
    async (_, code, content) => {
      files.files.set(MANIFEST, content());
      const before = [await machine.installed(), await machine.kept()];
      await rejectedBy(code);
      expect([await machine.installed(), await machine.kept()]).toEqual(before);
    },
  );
});

const otherBytes = () => {
  const bytes = Buffer.from(next);
  bytes[bytes.length - 2] = (bytes.at(-2) ?? 0) ^ 1;
  return bytes;
};

const artifacts: readonly [
  name: string,
  code: string,
  content: () => Uint8Array | ResponseHandler,
  url?: string,
][] = [
  ['one byte too many', 'ARTIFACT_SIZE', () => Buffer.concat([next, text(' ')])],
  ['one byte too few', 'ARTIFACT_SIZE', () => next.subarray(0, -1)],
  ['no end', 'ARTIFACT_SIZE', () => endless],
  ['nothing in it', 'ARTIFACT_SIZE', () => Buffer.alloc(0)],
  ['one changed bit', 'ARTIFACT_DIGEST', otherBytes],
  ['a connection that is cut off', 'ARTIFACT_UNREACHABLE', () => cut(next.subarray(0, 1000), next.length)],
  ['no file', 'ARTIFACT_UNREACHABLE', () => status(404)],
  ['a compressed body', 'ARTIFACT_ENCODED', () => compressed(next)],
  [
    'a body that expands when it is decompressed',
    'ARTIFACT_ENCODED',
    () => compressed(Buffer.alloc(50_000_000)),
  ],
  ['redirects in a circle', 'ARTIFACT_REDIRECTED', () => redirected('/svc.mjs')],
  ['an unencrypted address of another machine', 'ARTIFACT_ADDRESS', () => next, 'http://192.0.2.1/svc.mjs'],
  ['an address of a file', 'ARTIFACT_ADDRESS', () => next, 'file:///etc/passwd'],
  ['an address with a password', 'ARTIFACT_ADDRESS', () => next, 'https://user:secret@192.0.2.1/svc.mjs'],
  ['a redirect to an unencrypted address', 'ARTIFACT_ADDRESS', () => redirected('http://192.0.2.1/svc.mjs')],
];

describe('a program', () => {
  test.each(artifacts)(
    '[D14] [T21] with %s is rejected as %s, and nothing is written anywhere',
    async (_, code, content, url) => {
      const changes =
        url === undefined ? {} : { artifacts: release.artifacts.map((artifact) => ({ ...artifact, url })) };
      files.files.set(MANIFEST, of(changes));
      files.files.set('/svc.mjs', content());
      const before = [await machine.installed(), await machine.kept()];
      await rejectedBy(code);
      expect([await machine.installed(), await machine.kept()]).toEqual(before);
    },
  );
});

test('[D14] [T21] every rule about manifests and programs is broken here, in update.http.test.ts or in download.test.ts', () => {
  const elsewhere = ['MANIFEST_STALE', 'MANIFEST_TOO_SLOW', 'ARTIFACT_BROKEN', 'ARTIFACT_TOO_SLOW'];
  const broken = new Set([...manifests, ...artifacts].map(([, code]) => code).concat(elsewhere));
  const rules = rejectionCodes.filter((code) => !code.startsWith('UPDATE_'));
  expect([...broken].toSorted()).toEqual(rules.toSorted());
});
