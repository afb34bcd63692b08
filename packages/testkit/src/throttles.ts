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

/**
 * Resolves to the path of the file.
 * @param others further sections of it.
 */
export async function writeGenerousThrottles(folder: string, others: object = {}): Promise<string> {
  const file = join(folder, 'throttles.json');
  const budget = { limit: 1_000_000_000, windowMs: 60_000 };
  const generous = Object.fromEntries(names.map((name) => [name, budget]));
  await writeFile(file, JSON.stringify({ ...generous, ...others }));
  return file;
}
