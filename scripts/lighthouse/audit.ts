/** Audits a page with Lighthouse's settings for phones. */
import { execFile, execFileSync } from 'node:child_process';
import * as fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { browserArguments, browserExecutable } from '@svc/testkit/browser';
import { median } from './median.ts';

/** Not a dependency of the project, because it is too large for its rare use. */
const VERSION = '13.5.0';
const RUNS = 3;
/** Lighthouse sometimes loses the trace of a page. It then reports the loss and no scores. */
const LOST_MAX = 3;
const wanted = { performance: 0.95, accessibility: 1, 'best-practices': 1 } as const;
const RUN_LIMIT_MS = 180_000;

type Category = keyof typeof wanted;
const categories = Object.keys(wanted) as Category[];

interface Result {
  readonly categories: Readonly<Record<Category, { readonly score: number }>>;
  readonly audits: Readonly<
    Record<string, { readonly score: number | null; readonly numericValue?: number; readonly title: string }>
  >;
}

const folder = path.join(import.meta.dirname, '../../.cache/lighthouse');
const program = path.join(folder, 'node_modules/lighthouse/cli/index.js');

export function installLighthouse(): void {
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

/**
 * Prints the median scores and times of several runs.
 * @param cookie the Cookie header of a signed-in user; absent for pages without an account.
 * @returns whether the scores are high enough.
 */
export async function audit(name: string, address: string, cookie?: string): Promise<boolean> {
  const results: Result[] = [];
  for (let run = 0; results.length < RUNS; run += 1) {
    const result = await auditOnce(address, cookie, run < LOST_MAX);
    if (result) results.push(result);
  }
  const scores = categories.map((category) => {
    const score = median(results.map((result) => result.categories[category].score));
    return { category, score, isEnough: score >= wanted[category] };
  });
  const timing = (audited: string) =>
    Math.round(median(results.map(({ audits }) => audits[audited]?.numericValue ?? 0)));
  const times = [
    `largest paint ${timing('largest-contentful-paint')} ms`,
    `blocked ${timing('total-blocking-time')} ms`,
  ];
  const marks = scores.map(
    ({ category, score, isEnough }) => `${isEnough ? '✓' : '✗'} ${category} ${Math.round(score * 100)}`,
  );
  console.log(`${name.padEnd(22)} ${[...marks, ...times].join('  ')}`);
  const isEnough = scores.every((each) => each.isEnough);
  if (!isEnough) for (const title of failedIn(results)) console.log(`${' '.repeat(23)}${title}`);
  return isEnough;
}

/** What failed in any run, such as a contrast that is too low. */
function failedIn(results: readonly Result[]): readonly string[] {
  const failed = results.flatMap(({ audits }) =>
    Object.values(audits).filter(({ score }) => score !== null && score < 0.9),
  );
  return [...new Set(failed.map(({ title }) => title))];
}

/**
 * Runs Lighthouse asynchronously, because the service is in this process and must answer meanwhile. Resolves to null
 * when the trace was lost and another try is allowed.
 */
async function auditOnce(
  address: string,
  cookie: string | undefined,
  mayBeLost: boolean,
): Promise<Result | null> {
  const options = [
    '--quiet',
    '--output=json',
    '--output-path=stdout',
    `--only-categories=${categories.join()}`,
    `--chrome-flags=${['--headless=new', ...browserArguments].join(' ')}`,
    ...(cookie === undefined ? [] : [`--extra-headers=${JSON.stringify({ Cookie: cookie })}`]),
  ];
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [program, address, ...options], {
      maxBuffer: 64 * 1024 * 1024,
      timeout: RUN_LIMIT_MS,
      env: { ...process.env, CHROME_PATH: browserExecutable() },
    });
    return JSON.parse(stdout) as Result;
  } catch (error) {
    if (mayBeLost && error instanceof Error && error.message.includes('NO_NAVSTART')) return null;
    throw error;
  }
}
