/** Lets tests sign up as the platform administrator with the token from the file, as an operator does. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { normalizeEmail } from '@svc/contract';

/** The setup token for the administrator's email; undefined for any other email, and once the file is gone. */
export function setupTokensIn(
  dataDir: string,
  administratorEmail: string | null | undefined,
): (email: string) => string | undefined {
  return (email) =>
    normalizeEmail(email) === normalizeEmail(administratorEmail ?? '') ? readSetupToken(dataDir) : undefined;
}

/** Undefined if there is no file. */
export function readSetupToken(dataDir: string): string | undefined {
  try {
    return readFileSync(path.join(dataDir, 'setup-token'), 'utf8').trim();
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ENOENT') return undefined;
    throw error;
  }
}
