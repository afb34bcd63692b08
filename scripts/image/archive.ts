/**
 * Writes the image as one file that Docker, Podman and containerd load: an OCI image layout, and the index that older
 * versions of Docker read. OCI does not define a health check, so builders of OCI images leave it out. Docker reads it
 * from the image's configuration anyway, so this module adds it there.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import path from 'node:path';

interface Descriptor {
  readonly digest: string;
  readonly size: number;
}

interface Archive {
  /** The folder of an OCI image layout with one image; its files are changed. */
  readonly layout: string;
  readonly file: string;
  /** The name of the image, such as `svc-server:1.2.3`. */
  readonly name: string;
  readonly containerfile: string;
  readonly timeSeconds: number;
}

export function writeArchive({ layout, file, name, containerfile, timeSeconds }: Archive): void {
  const blob = ({ digest }: Pick<Descriptor, 'digest'>) => `blobs/${digest.replace(':', '/')}`;
  const readBlob = (from: Descriptor): unknown =>
    JSON.parse(fs.readFileSync(path.join(layout, blob(from)), 'utf8'));
  const replaceBlob = <Replaced extends Descriptor>(replaced: Replaced, content: unknown): Replaced => {
    fs.rmSync(path.join(layout, blob(replaced)));
    const text = JSON.stringify(content);
    const digest = `sha256:${createHash('sha256').update(text).digest('hex')}`;
    fs.writeFileSync(path.join(layout, blob({ digest })), text);
    return { ...replaced, digest, size: Buffer.byteLength(text) };
  };

  const indexFile = path.join(layout, 'index.json');
  const index = JSON.parse(fs.readFileSync(indexFile, 'utf8')) as { manifests: [Descriptor] };
  const manifest = readBlob(index.manifests[0]) as { config: Descriptor; layers: Descriptor[] };
  const configuration = readBlob(manifest.config) as { config: object };
  const config = replaceBlob(manifest.config, {
    ...configuration,
    config: { ...configuration.config, Healthcheck: healthCheckOf(containerfile) },
  });
  const described = replaceBlob(index.manifests[0], { ...manifest, config });
  const annotations = {
    'io.containerd.image.name': `docker.io/library/${name}`,
    'org.opencontainers.image.ref.name': name,
  };
  fs.writeFileSync(indexFile, JSON.stringify({ ...index, manifests: [{ ...described, annotations }] }));
  fs.writeFileSync(
    path.join(layout, 'manifest.json'),
    JSON.stringify([{ Config: blob(config), RepoTags: [name], Layers: manifest.layers.map(blob) }]),
  );
  execFileSync('tar', [
    '--create',
    `--file=${file}`,
    `--directory=${layout}`,
    '--sort=name',
    `--mtime=@${timeSeconds}`,
    '--owner=0',
    '--group=0',
    '--numeric-owner',
    '--mode=u=rwX,go=rX',
    ...fs.readdirSync(layout).toSorted(),
  ]);
}

/** The instruction HEALTHCHECK, as Docker writes it into the configuration. */
export function healthCheckOf(containerfile: string) {
  const [, options = '', command = ''] =
    /^HEALTHCHECK ((?:--\S+ )+)\\\n +CMD (\[.+\])$/m.exec(containerfile) ?? [];
  const option = (name: string) => Number.parseInt(options.split(`--${name}=`)[1] ?? '', 10);
  const nanoseconds = (name: string) => option(name) * 1_000_000_000;
  return {
    Test: ['CMD', ...(JSON.parse(command) as string[])],
    Interval: nanoseconds('interval'),
    Timeout: nanoseconds('timeout'),
    StartPeriod: nanoseconds('start-period'),
    Retries: option('retries'),
  };
}
