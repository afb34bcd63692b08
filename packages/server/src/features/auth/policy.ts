/** Which passwords may be chosen, beside their length. */
import { normalizeEmail, type Issue } from '@svc/contract';

const LOCAL_PART_LENGTH_MIN = 4;

/**
 * @param common true for a password of the list of common ones, which is in lower case.
 * @param path where the password stands in the request.
 * @returns what is wrong with it, or null.
 */
export function passwordIssue(
  password: string,
  email: string,
  common: (lowerCased: string) => boolean,
  path: string,
): Issue | null {
  const folded = password.normalize('NFC').toLowerCase();
  if (common(folded)) {
    return { path, message: 'is one of the most common passwords; choose another, such as several words' };
  }
  const [localPart = ''] = normalizeEmail(email).split('@');
  if (localPart.length >= LOCAL_PART_LENGTH_MIN && folded.includes(localPart)) {
    return { path, message: 'must not hold the name part of the email address' };
  }
  return null;
}
