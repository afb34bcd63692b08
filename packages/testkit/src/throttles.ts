/** Rate limits and caps that no test reaches by accident, as a file for THROTTLES_PATH. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const names = [
  'loginAccount',
  'loginNetwork',
  'confirmAccount',
  'recoverAccount',
  'recoverNetwork',
  'signupNetwork',
  'deviceLinkNetwork',
  'recordsAccount',
  'decisionQueries',
  'decisionFingerprints',
  'decidedFindings',
];

const creations = [
  'teamWorkspacesPerUser',
  'projectsPerWorkspace',
  'openInvitationsPerWorkspace',
  'openUploadIntentsPerUser',
];

/**
 * Resolves to the path of the file.
 * @param others additional sections.
 */
export async function writeGenerousThrottles(folder: string, others: object = {}): Promise<string> {
  const file = join(folder, 'throttles.json');
  const budget = { limit: 1_000_000_000, windowMs: 60_000 };
  const generous = Object.fromEntries(names.map((name) => [name, budget]));
  const caps = Object.fromEntries(creations.map((name) => [name, 1_000_000_000]));
  await writeFile(file, JSON.stringify({ ...generous, creations: caps, ...others }));
  return file;
}
