/** The recipes of docs/CI.md as pipelines that can be run. */
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { installFake } from './fake-scanners.ts';
import {
  recipeIn,
  runOnGitHub,
  runOnGitLab,
  type PipelineResult,
  type PipelineFolders,
  type PipelineRun,
} from './pipeline.ts';
import { git, repositoryWith, temporaryFolder } from './repository.ts';
import { sarifOf, type SampleResult } from './sarif-results.ts';
import { builtProgram } from './svc.ts';

export const document = readFileSync(path.join(import.meta.dirname, '../../../docs/CI.md'), 'utf8');

export const known: SampleResult = { file: 'src/known.js', level: 'error' };
export const added: SampleResult = { file: 'src/added.js', level: 'error' };

export function placeWith(repository: string): PipelineFolders {
  git(repository, 'add', '.');
  git(repository, 'commit', '--quiet', '--message', 'shop');
  return { repository, folder: temporaryFolder() };
}

/** A repository without a binding. */
export const unboundPlace = () =>
  placeWith(repositoryWith({ 'src/index.js': 'export const one = 1;\n', '.gitignore': 'node_modules\n' }));

type Wish = Partial<Omit<PipelineRun, 'tools'>>;

export interface Recipe {
  readonly title: string;
  /** The step that stops at new findings, without a service. */
  readonly gate: string;
  /** The step that stops at findings that nobody has set aside, with a service. */
  readonly gateWithService: string;
  /** @param scanner the results that an invented scanner finds, or the program that is the scanner. */
  run(
    place: PipelineFolders,
    scanner: readonly SampleResult[] | string,
    wish?: Wish,
  ): Promise<PipelineResult>;
}

type Steps = Pick<Recipe, 'gate' | 'gateWithService'>;

const recipeOf = (title: string, steps: Steps, runRecipe: typeof runOnGitHub): Recipe => ({
  title,
  ...steps,
  run(place, scanner, { isRequest = false, variables = {}, ...more } = {}) {
    const tools = temporaryFolder();
    const program = (name: string, script: string) =>
      writeFileSync(path.join(tools, name), `#!/bin/sh\n${script}`, { mode: 0o755 });
    if (typeof scanner === 'string') program('semgrep', scanner);
    else installFake(tools, 'semgrep', { result: sarifOf(scanner, 'Semgrep') });
    // pipx exists on hosted runners; here the scanner is already installed.
    program('pipx', '');
    const file = builtProgram();
    const CLI_SHA256 = createHash('sha256').update(readFileSync(file)).digest('hex');
    const all = { CLI_URL: pathToFileURL(file).href, CLI_SHA256, ...variables };
    return runRecipe(recipeIn(document, title), place, { isRequest, tools, variables: all, ...more });
  },
});

export const recipes: readonly Recipe[] = [
  recipeOf('GitHub Actions', { gate: 'Stop at what is new', gateWithService: 'Scan' }, runOnGitHub),
  recipeOf('GitLab CI', { gate: 'svc', gateWithService: 'svc' }, runOnGitLab),
];
