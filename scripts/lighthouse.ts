// `npm run lighthouse`: audits a share's page with Lighthouse's settings for phones, with 50, 1,000 and 10,000
// findings, and fails when a score is too low. The median of the runs at each size counts. On a busy machine the
// performance score means little.
import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { findingBody, shareOf, startServer, syncReport, type TestServer } from '@svc/testkit';
import { browserArguments, browserExecutable } from '@svc/testkit/browser';

/** Not a dependency of the project, because it is too large for its rare use. */
const VERSION = '13.5.0';
const sizes = [50, 1000, 10_000];
const RUNS = 3;
/** Lighthouse sometimes loses the trace of a page. It then reports the loss and no scores. */
const LOST_MAX = 3;
const wanted = { performance: 0.95, accessibility: 1, 'best-practices': 1 } as const;
const RUN_LIMIT_MS = 180_000;

type Category = keyof typeof wanted;
const categories = Object.keys(wanted) as Category[];

interface Result {
  readonly categories: Readonly<Record<Category, { readonly score: number }>>;
  readonly audits: Readonly<Record<string, { readonly numericValue?: number }>>;
}

const folder = path.join(import.meta.dirname, '../.cache/lighthouse');
const program = path.join(folder, 'node_modules/lighthouse/cli/index.js');
install();
const server = await startServer({ generousPlans: true });
try {
  let failed = 0;
  for (const size of sizes) {
    const address = await sharedReport(server, size);
    const results: Result[] = [];
    for (let run = 0; results.length < RUNS; run += 1) {
      const result = await audit(address, run < LOST_MAX);
      if (result) results.push(result);
    }
    failed += told(size, results) ? 0 : 1;
  }
  if (failed > 0) process.exitCode = 1;
} finally {
  await server.close();
}

function install(): void {
  const manifest = path.join(folder, 'node_modules/lighthouse/package.json');
  if (fs.existsSync(manifest)) {
    const { version } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as { version: string };
    if (version === VERSION) return;
  }
  console.log(`Installing Lighthouse ${VERSION} …`);
  fs.mkdirSync(folder, { recursive: true });
  const options = ['--prefix', folder, '--no-audit', '--no-fund', '--no-save', '--no-package-lock'];
  execFileSync('npm', ['install', ...options, `lighthouse@${VERSION}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

async function sharedReport({ signUp, linkDevice, url }: TestServer, size: number): Promise<string> {
  const owner = await signUp();
  const severities = ['critical', 'high', 'medium', 'low', 'info'];
  const findings = Array.from({ length: size }, (_, index) => ({
    ...findingBody(index + 1),
    severity: severities[index % severities.length],
    title: `Order lookup ${index + 1} trusts the id it is given`,
    evidence: [{ kind: 'source', description: 'By id alone.', snippet: 'orders.get(id);\n'.repeat(20) }],
  }));
  const { reportId } = await syncReport(await linkDevice(owner), { body: { findings } });
  const { slug } = await shareOf(owner, reportId);
  return `${url}/s/${slug}`;
}

/**
 * Runs Lighthouse asynchronously, because the service is in this process and must answer meanwhile. Resolves to null
 * when the trace was lost and another try is allowed.
 */
async function audit(address: string, mayBeLost: boolean): Promise<Result | null> {
  const options = [
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    `--only-categories=${categories.join()}`,
    `--chrome-path=${browserExecutable()}`,
    `--chrome-flags=${['--headless=new', ...browserArguments].join(' ')}`,
  ];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, address, ...options], {
      maxBuffer: 64 * 1024 * 1024,
      timeout: RUN_LIMIT_MS,
    });
    return JSON.parse(stdout) as Result;
  } catch (error) {
    if (mayBeLost && error instanceof Error && error.message.includes('NO_NAVSTART')) return null;
    throw error;
  }
}

/** @returns whether the scores are high enough. */
function told(size: number, results: readonly Result[]): boolean {
  const scores = categories.map((category) => {
    const score = median(results.map((result) => result.categories[category].score));
    return { category, score, isEnough: score >= wanted[category] };
  });
  const timing = (name: string) =>
    Math.round(median(results.map(({ audits }) => audits[name]?.numericValue ?? 0)));
  const times = [
    `largest paint ${timing('largest-contentful-paint')} ms`,
    `blocked ${timing('total-blocking-time')} ms`,
  ];
  const marks = scores.map(
    ({ category, score, isEnough }) => `${isEnough ? '✓' : '✗'} ${category} ${Math.round(score * 100)}`,
  );
  console.log(`${size.toLocaleString('en').padStart(6)} findings  ${[...marks, ...times].join('  ')}`);
  return scores.every(({ isEnough }) => isEnough);
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}
