/**
 * A finding's category without secrets. Unlike other texts it must match a pattern, which a redaction marker does
 * not: a report with one would be rejected.
 */
import { limits } from '@svc/contract';
import { normalizedCategory } from './adjustments.ts';
import { redactText, type Redaction } from '../secrets/redact.ts';
import { hasSecret } from '../secrets/secrets.ts';

/** Replaces a category that is too short after redaction, or still contains a secret. */
const REDACTED = 'redacted';
/** A redaction marker together with the surrounding text may look like another secret. */
const LOOKS_MAX = 8;

/** The category unchanged if it has no secret; otherwise a valid category without secrets. */
export function redactCategory(category: string): Redaction {
  let { text, count } = redactText(category);
  if (count === 0) return { text: category, count };
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const valid = normalizedCategory(text).slice(0, limits.finding.categoryLengthMax).replace(/_$/, '');
    if (!hasSecret(valid))
      return { text: valid.length < limits.finding.categoryLengthMin ? REDACTED : valid, count };
    const again = redactText(valid);
    text = again.text;
    count += again.count;
  }
  return { text: REDACTED, count };
}
