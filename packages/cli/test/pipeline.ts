/**
 * Runs the recipes of docs/CI.md as the two CI services would: their shell commands unchanged, with a runner's variables.
 * Other actions and keywords are imitated here. A recipe with anything unknown fails.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import * as fs from 'node:fs';
import path from 'node:path';
import { parse } from 'yaml';
import { plainEnvironment, toolsPath } from './tools.ts';

export interface PipelineRun {
  /** Whether it runs for a pull request or merge request; otherwise it runs for the default branch. */
  readonly isRequest: boolean;
  readonly isFromFork?: boolean;
  /** Replace the recipe's variables of these names, which must exist, except SVC_DEVICE_TOKEN. */
  readonly variables: Readonly<Record<string, string>>;
  /** The folder of programs that replace missing ones. */
  readonly tools: string;
}

export interface PipelineResult {
  /** The step that failed first, with its exit code. */
  readonly failed: { readonly step: string; readonly code: number | null } | undefined;
  readonly output: string;
  /** Files by their base name: those given to code scanning, and the artifacts. */
  readonly uploaded: Readonly<Record<string, string>>;
  readonly kept: Readonly<Record<string, string>>;
}

/** A repository with pipelines: what persists between them. */
export interface PipelineFolders {
  /** A repository with a commit. Before each run, its other files are deleted. */
  readonly repository: string;
  /** Contains a separate folder for each run, and the cache. */
  readonly folder: string;
}

/** The first YAML block of a section of the document. */
export function recipeIn(document: string, title: string): unknown {
  const section = document.split(/^## /m).find((part) => part.startsWith(`${title}\n`)) ?? '';
  const [, yaml] = /^```yaml\n(.*?)^```$/ms.exec(section) ?? [];
  if (yaml === undefined) throw new Error(`The document has no recipe for ${title}.`);
  return parse(yaml, { version: title.startsWith('GitHub') ? '1.2' : '1.1' });
}

type Words = Readonly<Record<string, string>>;

interface WorkflowStep {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Words;
}

interface Workflow {
  readonly jobs: { readonly svc: { readonly env: Words; readonly steps: readonly WorkflowStep[] } };
}

/** GitHub: a shell for each step; a folder beside the repository; paths that steps add. */
export async function runOnGitHub(
  recipe: unknown,
  place: PipelineFolders,
  run: PipelineRun,
): Promise<PipelineResult> {
  const { env, steps } = (recipe as Workflow).jobs.svc;
  const temp = freshRun(place);
  const cache = path.join(place.folder, 'cache');
  const pathFile = path.join(temp, 'github-path');
  fs.writeFileSync(pathFile, '');
  const uploaded: Record<string, string> = {};
  const kept: Record<string, string> = {};
  let [output, failed]: [string, PipelineResult['failed']] = ['', undefined];
  const folderOf = (step: WorkflowStep, name: string) =>
    (step.with?.[name] ?? '').replaceAll('${{ runner.temp }}', temp);
  const actions: Readonly<Record<string, (step: WorkflowStep) => void>> = {
    'actions/checkout': () => undefined,
    'actions/setup-node': () => undefined,
    'actions/cache/restore': (step) => copyIfThere(cache, folderOf(step, 'path')),
    'actions/cache/save': (step) => copyIfThere(folderOf(step, 'path'), cache),
    'actions/upload-artifact': (step) => keep(folderOf(step, 'path'), kept),
    'github/codeql-action/upload-sarif': (step) => keep(folderOf(step, 'sarif_file'), uploaded),
  };
  for (const [index, step] of steps.entries()) {
    if (!isDue(step.if, run, failed === undefined)) continue;
    if (step.uses !== undefined) {
      const action = actions[step.uses.split('@')[0] ?? ''];
      if (action === undefined) throw new Error(`The action ${step.uses} is not imitated here.`);
      action(step);
      continue;
    }
    const added = fs
      .readFileSync(pathFile, 'utf8')
      .split('\n')
      .filter((line) => line !== '');
    const shell = await inShell(`set -e\n${step.run}`, place, temp, {
      ...environmentOf(env, run, [...added.toReversed(), run.tools]),
      RUNNER_TEMP: temp,
      GITHUB_PATH: pathFile,
    });
    output += shell.output;
    if (shell.code !== 0) failed ??= { step: step.name ?? `step ${index}`, code: shell.code };
  }
  return { failed, output, uploaded, kept };
}

/** Whether a step runs, by its condition in the recipe. */
function isDue(
  condition: string | undefined,
  { isRequest, isFromFork = false, variables }: PipelineRun,
  isFine: boolean,
): boolean {
  switch (condition?.replace(/^\$\{\{ (.*) \}\}$/, '$1')) {
    case undefined:
      return isFine;
    case 'always()':
      return true;
    case 'always() && !github.event.pull_request.head.repo.fork':
      return !isFromFork;
    case "env.SVC_DEVICE_TOKEN == ''":
      return isFine && (variables['SVC_DEVICE_TOKEN'] ?? '') === '';
    case "github.ref == 'refs/heads/main'":
      return isFine && !isRequest;
    default:
      throw new Error(`The condition ${condition} is not imitated here.`);
  }
}

interface Job {
  readonly script: readonly string[];
  readonly variables?: Words;
  readonly rules: readonly { readonly if: string; readonly variables?: Words }[];
  readonly artifacts: { readonly paths: readonly string[]; readonly when?: string };
  readonly cache?: { readonly paths: readonly string[]; readonly policy: string };
}

/** GitLab: a shell for each job, in the repository, which also contains the cache. */
export async function runOnGitLab(
  recipe: unknown,
  place: PipelineFolders,
  run: PipelineRun,
): Promise<PipelineResult> {
  const temp = freshRun(place);
  const kept: Record<string, string> = {};
  let [output, failed]: [string, PipelineResult['failed']] = ['', undefined];
  for (const [name, job] of Object.entries(recipe as Readonly<Record<string, Job>>)) {
    const rule = job.rules.find((each) => each.if === (run.isRequest ? MERGE_REQUEST : DEFAULT_BRANCH));
    if (rule === undefined) throw new Error(`The job ${name} does not run then.`);
    const variables = { ...job.variables, ...rule.variables };
    const cached = job.cache?.paths[0] ?? '';
    const cache = path.join(place.folder, 'cache');
    if (job.cache) copyIfThere(cache, path.join(place.repository, cached));
    const given = name === 'svc' ? run : { ...run, variables: {} };
    const script = ['set -eo pipefail', ...job.script].join('\n');
    const shell = await inShell(script, place, temp, environmentOf(variables, given, [run.tools]));
    output += shell.output;
    const isFine = shell.code === 0;
    if (isFine || job.artifacts.when === 'always')
      for (const file of job.artifacts.paths) keep(path.join(place.repository, file), kept);
    const policy =
      job.cache?.policy === '$BASELINE_POLICY' ? variables['BASELINE_POLICY'] : job.cache?.policy;
    if (isFine && policy === 'pull-push') copyIfThere(path.join(place.repository, cached), cache);
    if (!isFine) {
      failed = { step: name, code: shell.code };
      break;
    }
  }
  return { failed, output, uploaded: {}, kept };
}

const MERGE_REQUEST = '$CI_PIPELINE_SOURCE == "merge_request_event"';
const DEFAULT_BRANCH = '$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH';

/** Deletes what is not committed in the repository. Returns a new folder for the run. */
function freshRun({ repository, folder }: PipelineFolders): string {
  execFileSync('git', ['clean', '-fdxq'], { cwd: repository, env: plainEnvironment });
  return fs.mkdtempSync(path.join(folder, 'run-'));
}

function environmentOf(named: Words, { variables }: PipelineRun, paths: readonly string[]): Words {
  for (const name of Object.keys(variables))
    if (name !== 'SVC_DEVICE_TOKEN' && !Object.hasOwn(named, name))
      throw new Error(`The recipe has no ${name}.`);
  const PATH = [...paths, toolsPath, path.dirname(process.execPath), '/usr/bin', '/bin'].join(path.delimiter);
  const plain = Object.entries(named).filter(([, value]) => !value.includes('${{'));
  return { ...Object.fromEntries(plain), ...variables, PATH };
}

/** A runner is a separate machine: nothing of an earlier run is left. */
async function inShell(
  script: string,
  { repository }: PipelineFolders,
  temp: string,
  env: Words,
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', ['-c', script], {
    cwd: repository,
    env: { ...env, HOME: temp, TMPDIR: temp, CI: 'true' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}

function copyIfThere(from: string, to: string): void {
  if (fs.existsSync(from)) fs.cpSync(from, to, { recursive: true });
}

function keep(file: string, files: Record<string, string>): void {
  if (fs.existsSync(file)) files[path.basename(file)] = fs.readFileSync(file, 'utf8');
}
