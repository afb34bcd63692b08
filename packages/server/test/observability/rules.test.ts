/**
 * The dashboard and the alert rules use only metrics and labels that a real service has, and each alert leads to a
 * section of docs/OPERATING.md. The alerts themselves are tested in `*-alerts.thorough.test.ts`.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { startCollector, startServer, syncReport } from '@svc/testkit';
import { prometheusMissing, withShorterDurations } from '@svc/testkit/prometheus-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { createPrometheusMetrics } from '../../src/platform/metrics/prometheus.ts';
import { deployFolder, METRICS_TOKEN, rules } from './watched.ts';

const operating = readFileSync(path.join(deployFolder, '../../docs/OPERATING.md'), 'utf8');

interface Panel {
  readonly title: string;
  readonly type: string;
  readonly targets?: readonly { readonly expr: string }[];
}
const dashboard = JSON.parse(readFileSync(path.join(deployFolder, 'dashboard.json'), 'utf8')) as {
  readonly panels: readonly Panel[];
  readonly templating: { readonly list: readonly { readonly name: string; readonly type: string }[] };
};

const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({
    name: /^\w+/.exec(text)?.[0] ?? '',
    expression: /expr: (?:>-\n)?([^]*?)\n {8}for: /.exec(text)?.[1]?.trim() ?? '',
    lasts: /^ {8}for: \d+[smh]$/m.test(text),
    severity: /severity: (\w+)/.exec(text)?.[1] ?? '',
    summary: /summary: (.+)/.exec(text)?.[1] ?? '',
    action: /action: (.+)/.exec(text)?.[1] ?? '',
  }));
const shown = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
const expressions = [...alerts.map(({ expression }) => expression), ...shown];

/** What Prometheus itself adds. */
const OWN_METRICS = new Set(['up']);
const OWN_LABELS = new Set(['job', 'instance']);
const WORDS = new Set([
  'absent',
  'by',
  'changes',
  'count',
  'histogram_quantile',
  'increase',
  'max',
  'max_over_time',
  'min',
  'min_over_time',
  'rate',
  'sum',
  'time',
  'topk',
]);

/** The names of metrics in an expression, each with the labels that are used with it. */
function usedIn(expression: string): Map<string, Set<string>> {
  const used = new Map<string, Set<string>>();
  const groups = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, names = '']) =>
    names.split(/,\s*/),
  );
  const rest = expression.replaceAll(/\bby \([^)]*\)/g, 'by ').replaceAll(/\[[^\]]*\]|offset \w+/g, ' ');
  for (const [, name = '', matchers = ''] of rest.matchAll(
    /\b([a-z_][a-z0-9_]*)\b(?:\{([^}]*)\})?(?=[^"]*(?:"[^"]*"[^"]*)*$)/g,
  )) {
    if (WORDS.has(name)) continue;
    const labels = [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label = '']) => label);
    used.set(name, new Set([...(used.get(name) ?? []), ...groups, ...labels]));
  }
  return used;
}

/** The labels of each metric in a text of metrics. */
function labelsIn(text: string): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const [, name = '', labels = ''] of text.matchAll(/^([a-z_][a-z0-9_]*)(?:\{(.*)\})? /gim)) {
    const names = [...labels.matchAll(/(\w+)="(?:[^"\\]|\\.)*"/g)].map(([, label = '']) => label);
    found.set(name, new Set([...(found.get(name) ?? []), ...names]));
  }
  return found;
}

let known: Map<string, Set<string>>;

beforeAll(async () => {
  await using collector = await startCollector();
  const { tracing } = readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
  await using server = await startServer({
    config: { metricsToken: METRICS_TOKEN, tracing },
    throttled: true,
    sweeps: true,
  });
  const device = await server.linkDevice(await server.signUp());
  await syncReport(device, { sizeBytes: 200_000 });
  for (let guesses = 0; guesses < 12; guesses += 1)
    await server.anonymous.post('/auth/login', { email: 'a@example.test', password: 'a wrong password' });
  const read = async () => {
    const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
    return (await server.anonymous.fetch('/metrics', { headers })).text();
  };
  known = labelsIn(`${await read()}${await seldomMetrics()}`);
});

/** Metrics that a service with SQLite lacks, such as the pool of PostgreSQL, or has late, such as those of jobs. */
async function seldomMetrics(): Promise<string> {
  const { metrics, exposition } = createPrometheusMetrics('1.0.0');
  metrics.job('a job', 'done', 1);
  const works = { check: () => Promise.resolve() };
  return exposition({
    requestsUnderWay: () => 0,
    streams: () => 0,
    streamsMax: 0,
    connections: () => ({ used: 0, idle: 0, max: 0, waiting: 0 }),
    dependencies: { database: works, blobs: works, counters: works },
    fileSystem: () => Promise.resolve({ freeBytes: 0, sizeBytes: 0 }),
  }).text();
}

describe('the expressions of alerts and dashboard', () => {
  test('use only metrics and labels that the service has', () => {
    expect(expressions.length).toBeGreaterThan(40);
    const unknown = expressions.flatMap((expression) =>
      [...usedIn(expression)].flatMap(([metric, labels]) => {
        if (OWN_METRICS.has(metric)) return [];
        const own = known.get(metric);
        if (!own) return [metric];
        return [...labels]
          .filter((label) => !own.has(label) && !OWN_LABELS.has(label))
          .map((label) => `${metric}{${label}} in ${expression}`);
      }),
    );
    expect(unknown).toEqual([]);
  });

  test('are read completely by this test', () => {
    expect(usedIn('sum by (a, le) (rate(m_bucket{b="x or y",c!~".*/d"}[5m])) / time() > 1')).toEqual(
      new Map([['m_bucket', new Set(['a', 'le', 'b', 'c'])]]),
    );
    expect(usedIn('count(up{job="svc"} == 1) < max_over_time(count(up{job="svc"} == 1)[1h:1m])')).toEqual(
      new Map([['up', new Set(['job'])]]),
    );
    expect(labelsIn('a_total{b="c d",e="f"} 1\ng 2\n')).toEqual(
      new Map([
        ['a_total', new Set(['b', 'e'])],
        ['g', new Set()],
      ]),
    );
  });

  test('cover each metric of the service', () => {
    const used = new Set(expressions.flatMap((expression) => [...usedIn(expression).keys()]));
    const base = (name: string) => name.replace(/_(?:bucket|sum|count)$/, '');
    const usedBases = new Set([...used].map(base));
    const unused = [...known.keys()].filter((name) => name.startsWith('svc_') && !usedBases.has(base(name)));
    expect(unused).toEqual([]);
  });
});

describe('the dashboard', () => {
  test('has a variable for its data source, and every panel uses it', () => {
    expect(dashboard.templating.list.find(({ type }) => type === 'datasource')?.name).toBe('datasource');
    const text = JSON.stringify(dashboard);
    const sources = [...text.matchAll(/"uid":"([^"]*)"/g)].map(([, uid]) => uid);
    expect(new Set(sources)).toEqual(new Set(['${datasource}', 'svc-overview']));
    for (const { title, type, targets } of dashboard.panels)
      expect([title, type === 'row' || (targets ?? []).length > 0]).toEqual([title, true]);
  });
});

describe('each alert', () => {
  test.each(alerts)(
    '$name has a severity, a duration, a summary and a section of docs/OPERATING.md',
    (alert) => {
      expect(alert.expression).not.toBe('');
      expect(alert.lasts).toBe(true);
      expect(['warning', 'critical']).toContain(alert.severity);
      expect(alert.summary.length).toBeGreaterThan(20);
      expect(alert.action).toBe(`See docs/OPERATING.md#${alert.name.toLowerCase()}`);
      expect(operating).toMatch(new RegExp(`^#### ${alert.name}$`, 'm'));
    },
  );

  test('of the document is a rule', () => {
    const sections = [...operating.matchAll(/^#### (Svc\w+)$/gm)].map(([, name = '']) => name);
    expect(sections.toSorted()).toEqual(alerts.map(({ name }) => name).toSorted());
  });

  test('keeps its expression when durations are divided for tests', () => {
    for (const { expression } of alerts) {
      const without = (text: string) => text.replaceAll(/\d+[smh](?=\]|:|\)|$)/gm, '');
      expect(without(withShorterDurations(expression, 60))).toBe(without(expression));
    }
    expect(withShorterDurations('for: 5m', 60)).toBe('for: 5s');
    expect(withShorterDurations('rate(a[5m]) < b[1h:1m] or c offset 3h', 60)).toBe(
      'rate(a[5s]) < b[60s:1s] or c offset 180s',
    );
  });
});

describe.skipIf(prometheusMissing())('promtool', () => {
  const run = (...given: string[]) => {
    const { status, stdout, stderr } = spawnSync('promtool', given, { cwd: deployFolder, encoding: 'utf8' });
    return { status, output: `${stdout}${stderr}` };
  };

  test('accepts the rules', () => {
    expect(run('check', 'rules', 'alerts.yml')).toMatchObject({ status: 0 });
  });

  test('sees the alerts of the recorded series, and no others', () => {
    expect(run('test', 'rules', 'alerts.test.yml')).toMatchObject({ status: 0 });
  });
});
