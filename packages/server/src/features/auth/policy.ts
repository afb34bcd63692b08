/** Which passwords may be chosen, apart from the length. */
import { normalizeEmail, type Issue } from '@svc/contract';

const LOCAL_PART_LENGTH_MIN = 4;

/**
 * @param common returns true for a password in the list of common passwords, which are in lower case.
 * @param path of the password in the request.
 * @returns what is wrong with the password, or null.
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
    return { path, message: 'must not contain the name part of the email address' };
  }
  return null;
}

const PERSONAL_WORDS_MAX = 40;
const PERSONAL_WORD_LENGTH_MIN = 3;

/** What an attacker knows about a person and tries first. */
export function personalWords(email: string, displayName: string): readonly string[] {
  const address = normalizeEmail(email);
  const name = displayName.toLowerCase();
  const parts = `${address} ${name}`.split(/[^\p{L}\p{N}]+/u);
  const words = [address, name, name.replaceAll(/\s/g, ''), ...parts];
  const known = new Set(words.filter((word) => word.length >= PERSONAL_WORD_LENGTH_MIN));
  return [...known].slice(0, PERSONAL_WORDS_MAX);
}

export function guessableIssue(reason: string | null, path: string): Issue {
  const why = reason === null ? '' : ` ${reason}`;
  return { path, message: `is too easy to guess.${why} Choose another, such as several unrelated words` };
}
