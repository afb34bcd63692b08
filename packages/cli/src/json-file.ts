/** Small JSON files in the folders of this program. */
import { CliError } from './errors.ts';
import { readIfThere, writePrivateFile } from './files/private-file.ts';

/** The expected content of a file of this program. The caller must check each field before it uses it. */
export async function readJsonIfThere<Shape extends object>(file: string): Promise<Partial<Shape> | null> {
  const text = await readIfThere(file);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    const { jsonFault } = await import('@svc/report/making/json-fault');
    throw damaged(file, jsonFault(text), cause);
  }
  if (typeof value !== 'object' || value === null) throw damaged(file, undefined);
  return value;
}

export function writeJson(file: string, value: object): Promise<void> {
  return writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

function damaged(file: string, fault: string | undefined, cause?: unknown): CliError {
  const what = fault === undefined ? 'it does not contain a JSON object' : `it is not JSON (${fault})`;
  return new CliError('failed', `${file} is damaged: ${what}.`, {
    hint: 'Fix or delete it, and try again.',
    cause,
  });
}
