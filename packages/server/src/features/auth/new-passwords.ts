/** Which passwords people may choose for their accounts. */
import { validationFailed } from '#app-error';
import type { PasswordStrength } from '#platform/password-strength';
import { commonPasswords } from './common-passwords.ts';
import { guessableIssue, passwordIssue, personalWords } from './policy.ts';

/** A new password, and its path in the request. */
export interface NewPassword {
  readonly password: string;
  readonly path: '/password' | '/newPassword';
  readonly email: string;
}

/**
 * This check is cheap enough to run for anyone.
 * @throws AppError VALIDATION_FAILED
 */
export async function rejectCommonPassword({ password, email, path }: NewPassword): Promise<void> {
  const common = await commonPasswords();
  const issue = passwordIssue(password, email, (folded) => common.has(folded), path);
  if (issue) throw validationFailed(issue);
}

/**
 * May take a large part of a second. Call only after a rate limit or a correct secret.
 * @throws AppError VALIDATION_FAILED
 */
export async function rejectGuessablePassword(
  strength: Pick<PasswordStrength, 'judge'>,
  { password, email, path }: NewPassword,
  displayName: string,
): Promise<void> {
  const verdict = await strength.judge({ password, personal: personalWords(email, displayName) });
  if (verdict.isGuessable) throw validationFailed(guessableIssue(verdict.reason, path));
}
