/**
 * A real Prometheus in its own folder, for tests that make alerts fire. Durations in the rules are divided by a factor,
 * so that minutes pass in seconds; the rest of each rule stays unchanged.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from './free-port.ts';

const PROGRAM = 'prometheus';
const START_MS_MAX = 60_000;
const ASKED_EVERY_MS = 250;

let isMissing: boolean | undefined;

/** Without Prometheus, tests are skipped with a message on developer machines, and fail in CI. */
export function prometheusMissing(): boolean {
  if (process.env['CI'] === 'true') return false;
  if (isMissing === undefined) {
    isMissing = spawnSync(PROGRAM, ['--version']).error !== undefined;
    if (isMissing) writeSync(2, `${PROGRAM} is not installed: the tests of the alert rules are skipped.\n`);
  }
  return isMissing;
}

export interface PrometheusOptions {
  /** The text of a file of rules. */
  readonly rules: string;
  /** The divisor of the durations in all rules; `factors` has other divisors for some rules, by name. */
  readonly factor: number;
  readonly factors?: Readonly<Record<string, number>>;
  readonly scrapedEveryMs: number;
  /** `host:port` */
  readonly targets: readonly string[];
  readonly token: string;
}

export interface FiringAlert {
  readonly alertname: string;
  readonly [label: string]: string;
}

export interface PrometheusServer extends AsyncDisposable {
  /** The alerts that fire now. */
  firing(): Promise<readonly FiringAlert[]>;
  /** Waits for an alert of this name and these labels. Resolves to 'fires', or to what fires instead. */
  outcomeOf(alertname: string, labels?: Readonly<Record<string, string>>, withinMs?: number): Promise<string>;
  stop(): Promise<void>;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Divides the durations of a rule, and rounds them up to whole seconds. */
export function withShorterDurations(rule: string, factor: number): string {
  return rule.replaceAll(
    /(?<=for: |\[|:|offset )(\d+)([smh])(?=$|\]|:|\))/gm,
    (_, count: string, unit: string) => {
      const ms = (Number(count) * (UNIT_MS[unit] ?? 0)) / factor;
      return `${Math.ceil(ms / 1000)}s`;
    },
  );
}

function scaledRules({ rules, factor, factors = {} }: PrometheusOptions): string {
  return rules
    .split(/(?=^ {6}- alert: )/m)
    .map((rule) => {
      const [, name = ''] = /- alert: (\w+)/.exec(rule) ?? [];
      return withShorterDurations(rule, factors[name] ?? factor);
    })
    .join('');
}

export async function startPrometheus(options: PrometheusOptions): Promise<PrometheusServer> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-prometheus-'));
  const interval = `${options.scrapedEveryMs}ms`;
  await writeFile(join(folder, 'rules.yml'), scaledRules(options));
  await writeFile(join(folder, 'token'), options.token);
  const config = {
    global: { scrape_interval: interval, scrape_timeout: interval, evaluation_interval: '1s' },
    rule_files: ['rules.yml'],
    scrape_configs: [
      {
        job_name: 'svc',
        authorization: { credentials_file: 'token' },
        static_configs: [{ targets: options.targets }],
      },
    ],
  };
  // Every JSON document is valid YAML.
  await writeFile(join(folder, 'prometheus.yml'), JSON.stringify(config));
  const port = await freePort();
  const child = spawn(
    PROGRAM,
    [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  );
  let output = '';
  child.stderr.on('data', (text: Buffer) => (output = (output + String(text)).slice(-4000)));
  const killNow = () => void child.kill('SIGKILL');
  process.once('exit', killNow);

  async function stop(): Promise<void> {
    process.off('exit', killNow);
    if (child.exitCode === null && child.signalCode === null) {
      const ended = once(child, 'close');
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
  }

  async function ask(path: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`).catch(() => null);
    if (!answer?.ok) return null;
    return answer.json();
  }

  async function firing(): Promise<FiringAlert[]> {
    const answer = (await ask('/api/v1/alerts')) as AlertsAnswer | null;
    return (answer?.data.alerts ?? []).filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  }

  async function outcomeOf(
    alertname: string,
    labels: Readonly<Record<string, string>> = {},
    withinMs = 90_000,
  ): Promise<string> {
    const wanted = Object.entries({ alertname, ...labels });
    const deadline = performance.now() + withinMs;
    for (;;) {
      const alerts = await firing();
      if (alerts.some((alert) => wanted.every(([name, value]) => alert[name] === value))) return 'fires';
      if (performance.now() > deadline) return `${JSON.stringify(alerts)} ${output}`;
      await pause(ASKED_EVERY_MS);
    }
  }

  /** Whether Prometheus has read every target. Until then the service seems to be down. */
  async function hasRead(): Promise<boolean> {
    const answer = (await ask('/api/v1/query?query=count(up)')) as CountAnswer | null;
    return Number(answer?.data.result[0]?.value[1]) === options.targets.length;
  }

  const deadline = performance.now() + START_MS_MAX;
  while (!(await hasRead()) || (await firing()).length > 0) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await stop();
      throw new Error(`${PROGRAM} did not start.\n${output}`);
    }
    await pause(ASKED_EVERY_MS);
  }
  return { firing, outcomeOf, stop, [Symbol.asyncDispose]: stop };
}

interface AlertsAnswer {
  readonly data: { readonly alerts: readonly { readonly state: string; readonly labels: FiringAlert }[] };
}

interface CountAnswer {
  readonly data: { readonly result: readonly { readonly value: readonly [number, string] }[] };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
