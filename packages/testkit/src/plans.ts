/** Plans that do not limit the number of reports of a suite. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { plans } from '@svc/contract';

const LIMITS = { daily: 1_000_000, weekly: 1_000_000, retentionDays: 21, activeShares: 1_000_000 };

/** @returns the path of the file, for PLANS_PATH. */
export async function writeGenerousPlans(folder: string): Promise<string> {
  const file = join(folder, 'generous-plans.json');
  await writeFile(file, JSON.stringify(Object.fromEntries(plans.map((plan) => [plan, LIMITS]))));
  return file;
}
