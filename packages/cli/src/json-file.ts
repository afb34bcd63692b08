/** Small JSON files that this program wrote, or that a repository carries. */
import { CliError } from './errors.ts';
import { readIfThere, writePrivateFile } from './files/private-file.ts';

/** What a file of this program is believed to hold; whoever reads it looks at each field before using it. */
export async function readJsonIfThere<Shape extends object>(file: string): Promise<Partial<Shape> | null> {
  const text = await readIfThere(file);
  if (text === null) return null;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw damaged(file, cause);
  }
  if (typeof value !== 'object' || value === null) throw damaged(file, undefined);
  return value;
}

export function writeJson(file: string, value: object): Promise<void> {
  return writePrivateFile(file, `${JSON.stringify(value, null, 2)}\n`);
}

function damaged(file: string, cause: unknown): CliError {
  return new CliError('failed', `${file} is damaged: it holds no JSON object.`, {
    hint: 'Mend it or delete it, and try again.',
    cause,
  });
}
