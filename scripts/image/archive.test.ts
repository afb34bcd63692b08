import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { healthCheckOf, writeArchive } from './archive.ts';

const containerfile = readFileSync(path.join(import.meta.dirname, '../../deploy/Containerfile'), 'utf8');
const folder = mkdtempSync(path.join(os.tmpdir(), 'svc-archive-'));
afterAll(() => rmSync(folder, { recursive: true }));

const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

/** Writes an image without a health check, as a builder of OCI images does, and makes an archive of it. */
function archiveOf(name: string): string {
  const layout = path.join(folder, `layout-${name}`);
  mkdirSync(path.join(layout, 'blobs/sha256'), { recursive: true });
  const write = (content: string) => {
    writeFileSync(path.join(layout, 'blobs/sha256', sha256(content)), content);
    return { digest: `sha256:${sha256(content)}`, size: content.length };
  };
  const config = write(JSON.stringify({ architecture: 'amd64', config: { User: '65532:65532' } }));
  const manifest = write(JSON.stringify({ schemaVersion: 2, config, layers: [write('a layer')] }));
  writeFileSync(path.join(layout, 'index.json'), JSON.stringify({ schemaVersion: 2, manifests: [manifest] }));
  writeFileSync(path.join(layout, 'oci-layout'), JSON.stringify({ imageLayoutVersion: '1.0.0' }));
  const file = path.join(folder, `${name}.tar`);
  writeArchive({ layout, file, name: 'svc-server:0.1.0', containerfile, timeSeconds: 1 });
  return file;
}

const inArchive = (file: string, member: string) =>
  execFileSync('tar', ['--extract', '--to-stdout', `--file=${file}`, member]);
const jsonIn = (file: string, member: string): unknown => JSON.parse(inArchive(file, member).toString());

interface Described {
  readonly digest: string;
  readonly size: number;
}

test('both indexes of the archive lead to the configuration with the health check, by its digest', () => {
  const file = archiveOf('first');
  const index = jsonIn(file, 'index.json') as { manifests: Described[] };
  const read = ({ digest, size }: Described) => {
    const content = inArchive(file, `blobs/${digest.replace(':', '/')}`);
    expect([`sha256:${sha256(content)}`, content.length]).toEqual([digest, size]);
    return JSON.parse(content.toString()) as unknown;
  };
  const [described = { digest: '', size: 0 }] = index.manifests;
  const { config, layers } = read(described) as { config: Described; layers: Described[] };
  expect(read(config)).toEqual({
    architecture: 'amd64',
    config: { User: '65532:65532', Healthcheck: healthCheckOf(containerfile) },
  });
  expect(jsonIn(file, 'manifest.json')).toEqual([
    {
      Config: `blobs/${config.digest.replace(':', '/')}`,
      RepoTags: ['svc-server:0.1.0'],
      Layers: layers.map(({ digest }) => `blobs/${digest.replace(':', '/')}`),
    },
  ]);
});

test('the same image gives the same archive', () => {
  expect(sha256(readFileSync(archiveOf('second')))).toBe(sha256(readFileSync(archiveOf('third'))));
});

test('the health check is that of the Containerfile, in nanoseconds', () => {
  expect(healthCheckOf(containerfile)).toEqual({
    Test: ['CMD', '/usr/local/bin/node', '/opt/svc/healthcheck.mjs'],
    Interval: 10_000_000_000,
    Timeout: 5_000_000_000,
    StartPeriod: 30_000_000_000,
    Retries: 3,
  });
});
