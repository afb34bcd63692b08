// Writes the generated, committed files: the API description, the language-neutral schema of reports, the API's calls
// without their schemas (all in packages/contract/schemas), the list of commands (docs), and the sample report as its
// readers see it (the pages). With `--check` it writes nothing, and fails when a file differs from what the sources
// generate.
import * as fs from 'node:fs';
import path from 'node:path';
import { commandsDocument } from '../packages/cli/src/commands-document.ts';
import { commands } from '../packages/cli/src/commands/index.ts';
import type { Call } from '../packages/contract/src/calls.ts';
import type { Endpoint } from '../packages/contract/src/endpoint.ts';
import { endpoints } from '../packages/contract/src/endpoints.ts';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import { reportJsonSchema } from '../packages/report/src/model/published-schema.ts';
import { samplePreview } from './sample/preview.ts';
import { sampleProjections } from './sample/projections.ts';

const root = path.join(import.meta.dirname, '..');
const { version } = JSON.parse(
  fs.readFileSync(path.join(root, 'packages/contract/package.json'), 'utf8'),
) as { version: string };

const json = (document: unknown) => `${JSON.stringify(document, null, 2)}\n`;

function callOf({ answers, streams, sendsFile, ...definition }: Endpoint): Call {
  return {
    method: definition.method,
    path: definition.path,
    credential: definition.credential,
    successes: Object.keys(answers).map(Number),
    answers: streams === true ? 'events' : sendsFile === true ? 'file' : 'json',
  };
}

const calls = Object.entries<Endpoint>(endpoints).map(([name, each]) => [name, callOf(each)] as const);

const documents: Readonly<Record<string, string>> = {
  'packages/contract/schemas/calls.json': json(Object.fromEntries(calls)),
  'packages/contract/schemas/openapi.json': json(openApiDocument(version)),
  'packages/contract/schemas/report-1.0.0.json': json(reportJsonSchema()),
  'docs/CLI-COMMANDS.md': commandsDocument(commands),
  'packages/web/src/features/sample/preview.json': json(samplePreview()),
  'packages/web/src/features/sample/projections.json': json(sampleProjections()),
};

const checking = process.argv.includes('--check');
let stale = 0;
for (const [name, wanted] of Object.entries(documents)) {
  const file = path.join(root, name);
  if (!checking) {
    fs.writeFileSync(file, wanted);
  } else if (readOrEmpty(file) !== wanted) {
    stale += 1;
    console.error(`${name} is not current: run "npm run generate" and commit the result`);
  }
}
if (stale > 0) process.exitCode = 1;

function readOrEmpty(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
