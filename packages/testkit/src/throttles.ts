/** Budgets against guessing and flooding that no test reaches, as a file for THROTTLES_PATH. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const names = [
  'loginAccount',
  'loginNetwork',
  'recoverAccount',
  'recoverNetwork',
  'confirmAccount',
  'signupNetwork',
  'deviceLinkNetwork',
];

/** Resolves to the path of the file. */
export async function writeGenerousThrottles(folder: string): Promise<string> {
  const file = join(folder, 'throttles.json');
  const budget = { limit: 1_000_000_000, windowMs: 60_000 };
  await writeFile(file, JSON.stringify(Object.fromEntries(names.map((name) => [name, budget]))));
  return file;
}
