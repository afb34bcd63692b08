/**
 * Writes the generated, committed documents under schemas/. With `--check` it writes nothing and fails when one of them
 * is not what the source says.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { openApiDocument } from '../src/openapi.ts';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

const documents: Record<string, unknown> = {
  'openapi.json': openApiDocument(version),
};

const checking = process.argv.includes('--check');
let stale = 0;
for (const [name, document] of Object.entries(documents)) {
  const file = new URL(`../schemas/${name}`, import.meta.url);
  const wanted = `${JSON.stringify(document, null, 2)}\n`;
  if (!checking) {
    writeFileSync(file, wanted);
  } else if (readOrEmpty(file) !== wanted) {
    stale += 1;
    console.error(`contract/schemas/${name} is not current: run "npm run generate" and commit the result`);
  }
}
if (stale > 0) process.exitCode = 1;

function readOrEmpty(file: URL): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
