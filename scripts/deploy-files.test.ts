// The files in `deploy` start the service with variables that it reads, ask for paths that it serves, and give its
// container no privilege that it does not need.
import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { endpoints } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { readConfig } from '../packages/server/src/config.ts';
import { STOP_AFTER_DRAIN_MS } from '../packages/server/src/stop.ts';

interface Probe {
  readonly httpGet: { readonly path: string; readonly port: string };
}

interface Container {
  readonly image: string;
  readonly ports?: readonly { readonly name: string; readonly containerPort: number }[];
  readonly startupProbe?: Probe;
  readonly livenessProbe?: Probe;
  readonly readinessProbe?: Probe;
  readonly lifecycle?: { readonly preStop: { readonly sleep: { readonly seconds: number } } };
  readonly volumeMounts: readonly { readonly mountPath: string }[];
  readonly resources: unknown;
  readonly securityContext: unknown;
}

interface Pod {
  readonly terminationGracePeriodSeconds?: number;
  readonly automountServiceAccountToken: boolean;
  readonly enableServiceLinks: boolean;
  readonly securityContext: unknown;
  readonly containers: readonly Container[];
}

interface Manifest {
  readonly kind: string;
  readonly metadata?: { readonly name: string };
  readonly resources?: readonly string[];
  readonly data?: Readonly<Record<string, string>>;
  readonly stringData?: Readonly<Record<string, string>>;
  readonly spec?: {
    readonly template?: {
      readonly metadata: {
        readonly labels: Readonly<Record<string, string>>;
        readonly annotations?: Readonly<Record<string, string>>;
      };
      readonly spec: Pod;
    };
    readonly selector?: Readonly<Record<string, string>> & {
      readonly matchLabels?: Readonly<Record<string, string>>;
    };
    readonly ports?: readonly { readonly targetPort: string }[];
    readonly ingress?: readonly { readonly ports: readonly { readonly port: number }[] }[];
  };
}

interface ComposeService {
  readonly image: string;
  readonly user?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly security_opt?: readonly string[];
  readonly tmpfs?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas: number };
  readonly ports?: readonly string[];
}

const root = path.join(import.meta.dirname, '..');
const folder = path.join(root, 'deploy');
const textOf = (file: string) => readFileSync(path.join(folder, file), 'utf8');

const { version } = JSON.parse(readFileSync(path.join(root, 'packages/server/package.json'), 'utf8')) as {
  version: string;
};
const containerfile = textOf('Containerfile');
const imageVariable = (name: string) => new RegExp(`^ +${name}=(\\S+)`, 'm').exec(containerfile)?.[1] ?? '';
const port = Number(imageVariable('PORT'));
const [, user = '', group = ''] = /^USER (\d+):(\d+)$/m.exec(containerfile) ?? [];

/** The longest time in seconds that the service takes to end after SIGTERM, with these variables. */
const stopSeconds = (environment: Readonly<Record<string, string>>) =>
  (readConfig(environment).drainMs + STOP_AFTER_DRAIN_MS) / 1000;

const manifests = new Map(
  globSync('*.yaml', { cwd: path.join(folder, 'kubernetes') }).map((file) => {
    // Throws when the file is malformed or holds several documents.
    return [file, parse(textOf(`kubernetes/${file}`)) as Manifest] as const;
  }),
);
const manifest = (file: string) => manifests.get(file) ?? { kind: 'none' };

const composeFiles = ['embedded.yaml', 'distributed.yaml'];
const composed = (file: string) =>
  (parse(textOf(`compose/${file}`), { merge: true }) as { services: Record<string, ComposeService> })
    .services;

/** Every variable that the service or its client for S3 reads. */
const known = new Set(['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY']);
readConfig(new Proxy({}, { get: (_, name) => void known.add(String(name)) }));

const secrets = [
  'SVC_MASTER_KEY',
  'SVC_SETUP_TOKEN',
  'METRICS_TOKEN',
  'DATABASE_URL',
  'REDIS_URL',
  'AWS_SECRET_ACCESS_KEY',
];

/** What an operator could enter, for each variable without a default in the files. */
const entered: Readonly<Record<string, string>> = {
  APP_BASE_URL: 'https://reports.example.com',
  SITE: 'reports.example.com',
  SVC_MASTER_KEY: Buffer.alloc(32, 1).toString('base64'),
  POSTGRES_PASSWORD: '0'.repeat(64),
  REDIS_PASSWORD: '1'.repeat(64),
  STORAGE_SECRET: '2'.repeat(64),
};
const filledIn = (text: string) =>
  text.replaceAll(/\$\{(\w+)(?::-([^}]*))?(?::\?[^}]*)?\}/g, (_, name: string, preset = '') =>
    String(entered[name] ?? preset),
  );

describe.each(composeFiles)('compose/%s', (file) => {
  const services = composed(file);
  const svc = services['svc'];
  const environment = Object.fromEntries(
    Object.entries(svc?.environment ?? {}).map(([name, value]) => [name, filledIn(value)]),
  );

  test('sets variables that the service reads, to values that it accepts', () => {
    expect(Object.keys(environment).filter((name) => !known.has(name))).toEqual([]);
    expect(readConfig(environment)).toMatchObject({ appBaseUrl: 'https://reports.example.com' });
  });

  test('contains no secret, and requires those that are needed', () => {
    const text = textOf(`compose/${file}`);
    const variables = [...text.matchAll(/\$\{(\w+)(:[-?])([^}]*)\}/g)];
    expect(variables.length).toBeGreaterThan(4);
    for (const [, name = '', kind, preset] of variables.filter(([, each = '']) =>
      /PASSWORD|SECRET|TOKEN|KEY/.test(each),
    )) {
      expect([name, kind === ':?' || preset === '']).toEqual([name, true]);
      expect(textOf('compose/example.env')).toMatch(new RegExp(`^${name}=$`, 'm'));
    }
  });

  test('runs the service as the user of the image, with a read-only root and without capabilities', () => {
    expect(svc).toMatchObject({
      image: `\${SVC_IMAGE:-svc-server:${version}}`,
      user: `${user}:${group}`,
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
    });
    for (const place of svc?.tmpfs ?? []) expect(place).toContain(`uid=${user},gid=${group},mode=0700`);
    const writable = [...(svc?.volumes ?? []), ...(svc?.tmpfs ?? [])];
    expect(imageVariable('DATA_DIR')).toMatch(/^\/var\/lib\/svc\//);
    expect(writable.some((place) => place.includes('/var/lib/svc'))).toBe(true);
  });

  test('uses the image’s health check, and gives a stop more time than the service needs', () => {
    const script = svc?.healthcheck?.test.at(-1) ?? '';
    expect(existsSync(path.join(folder, 'image', script))).toBe(true);
    expect(containerfile).toContain(`"${script}"]`);
    expect(Number.parseInt(svc?.stop_grace_period ?? '0', 10)).toBeGreaterThan(stopSeconds(environment));
  });

  test('names a version of each image, and opens no port of a store', () => {
    for (const { image } of Object.values(services)) expect(image).toMatch(/:\d[\w.-]*\}?$/);
    const open = Object.entries(services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual([file === 'embedded.yaml' ? 'svc' : 'proxy']);
  });
});

test('the distributed Compose file runs three replicas behind the load balancer', () => {
  expect(composed('distributed.yaml')['svc']?.deploy).toEqual({ replicas: 3 });
  expect(textOf('compose/Caddyfile')).toContain(`port ${port}`);
});

test('the unit of systemd and the command for Docker give a stop more time than the service needs', () => {
  const unit = readFileSync(path.join(root, 'docs/examples/svc.service'), 'utf8');
  const guide = readFileSync(path.join(root, 'docs/OPERATING.md'), 'utf8');
  const [, ofUnit] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  const [, ofDocker] = /--stop-timeout (\d+)/.exec(guide) ?? [];
  expect(Number(ofUnit)).toBeGreaterThan(stopSeconds({ DATABASE_URL: 'postgres://database/svc' }));
  // The command in the guide sets no variable for a database.
  expect(Number(ofDocker)).toBeGreaterThan(stopSeconds({}));
});

test('the health check requests a path of the service', () => {
  const [, asked = ''] = /path: '([^']+)'/.exec(textOf('image/opt/svc/healthcheck.mjs')) ?? [];
  expect(asked).toBe(`/api/v1${endpoints.getHealth.path}`);
  expect(textOf('image/opt/svc/healthcheck.mjs')).toContain(`'${port}'`);
});

test('the image’s user exists in the image and is not root', () => {
  expect(Number(user)).toBeGreaterThan(0);
  expect(textOf('image/etc/passwd')).toContain(`:x:${user}:${group}:`);
  expect(textOf('image/etc/group')).toContain(`:x:${group}:`);
});

describe('kubernetes', () => {
  const pods = ['deployment.yaml', 'migrate-job.yaml'].map((file) => manifest(file).spec?.template?.spec);
  const server = pods[0]?.containers[0];

  test('the kustomization has every manifest but the examples and the migration', () => {
    const others = [...manifests.keys()].filter((file) => !/example|kustomization|migrate/.test(file));
    expect(manifest('kustomization.yaml').resources?.toSorted()).toEqual(others.toSorted());
  });

  test('the configuration and the secret have variables that the service reads', () => {
    const { data = {} } = manifest('config.yaml');
    const { stringData = {} } = manifest('secret.example.yaml');
    expect([...Object.keys(data), ...Object.keys(stringData)].filter((name) => !known.has(name))).toEqual([]);
    expect(Object.keys(data).filter((name) => secrets.includes(name))).toEqual([]);
    expect(Object.keys(stringData)).toEqual(expect.arrayContaining(secrets));
    expect(Object.values(stringData).filter((value) => value !== '')).toEqual([]);
    expect(readConfig({ ...data, ...stringData })).toMatchObject({ trustedProxyHops: 1 });
  });

  test.each([0, 1])('pod %# runs as the user of the image without any privilege', (index) => {
    const pod = pods[index];
    expect(pod).toMatchObject({
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      securityContext: {
        runAsNonRoot: true,
        runAsUser: Number(user),
        runAsGroup: Number(group),
        fsGroup: Number(group),
        seccompProfile: { type: 'RuntimeDefault' },
      },
    });
    for (const container of pod?.containers ?? []) {
      expect(container).toMatchObject({
        image: `registry.example.com/svc-server:${version}`,
        resources: {
          requests: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
          limits: { cpu: expect.any(String) as string, memory: expect.any(String) as string },
        },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      });
      expect(container.volumeMounts.map(({ mountPath }) => mountPath)).toContain('/var/lib/svc');
    }
  });

  test('the probes request paths of the service: its health at startup and later, and its readiness', () => {
    const asked = (probe: Probe | undefined) => probe?.httpGet;
    const health = { path: `/api/v1${endpoints.getHealth.path}`, port: 'http' };
    expect(asked(server?.startupProbe)).toEqual(health);
    expect(asked(server?.livenessProbe)).toEqual(health);
    expect(asked(server?.readinessProbe)).toEqual({ ...health, path: `/api/v1${endpoints.getReady.path}` });
  });

  test('the ports are those of the image', () => {
    expect(server?.ports).toEqual([{ name: 'http', containerPort: port }]);
    expect(manifest('service.yaml').spec?.ports?.map(({ targetPort }) => targetPort)).toEqual(['http']);
    expect(manifest('network-policy.yaml').spec?.ingress?.[0]?.ports.map((each) => each.port)).toEqual([
      port,
    ]);
    const { annotations } = manifest('deployment.yaml').spec?.template?.metadata ?? {};
    expect(annotations?.['prometheus.io/port']).toBe(String(port));
  });

  test('a pod gets the time that its load balancers and its requests need to end', () => {
    const seconds = server?.lifecycle?.preStop.sleep.seconds ?? 0;
    expect(seconds).toBeGreaterThan(0);
    expect(pods[0]?.terminationGracePeriodSeconds).toBeGreaterThan(
      seconds + stopSeconds({ ...manifest('config.yaml').data, DATABASE_URL: 'postgres://database/svc' }),
    );
  });

  test('the service and the disruption budget select the pods of the deployment, and not those of the migration', () => {
    const labels = manifest('deployment.yaml').spec?.template?.metadata.labels;
    expect(manifest('service.yaml').spec?.selector).toEqual(labels);
    expect(manifest('disruption-budget.yaml').spec?.selector?.matchLabels).toEqual(labels);
    expect(manifest('migrate-job.yaml').spec?.template?.metadata.labels).not.toEqual(labels);
  });
});
