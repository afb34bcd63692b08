// Writes the generated, committed documents under packages/contract/schemas: the description of the API and the
// language-neutral schema of reports. With `--check` it writes nothing and fails when one of them is not what the
// sources say.
import * as fs from 'node:fs';
import path from 'node:path';
import { openApiDocument } from '../packages/contract/src/openapi.ts';
import { reportJsonSchema } from '../packages/report/src/published-schema.ts';

const folder = path.join(import.meta.dirname, '../packages/contract');
const { version } = JSON.parse(fs.readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
  version: string;
};

const documents: Record<string, unknown> = {
  'openapi.json': openApiDocument(version),
  'report-1.0.0.json': reportJsonSchema(),
};

const checking = process.argv.includes('--check');
let stale = 0;
for (const [name, document] of Object.entries(documents)) {
  const file = path.join(folder, 'schemas', name);
  const wanted = `${JSON.stringify(document, null, 2)}\n`;
  if (!checking) {
    fs.writeFileSync(file, wanted);
  } else if (readOrEmpty(file) !== wanted) {
    stale += 1;
    console.error(`contract/schemas/${name} is not current: run "npm run generate" and commit the result`);
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
