/**
 * A finding's category without secrets. Unlike other texts it must match a pattern, which a marker in brackets does not:
 * a report that contains one could not be created.
 */
import { limits } from '@svc/contract';
import { normalizedCategory } from './adjustments.ts';
import { redactText, type Redaction } from './redact.ts';

export function redactCategory(category: string): Redaction {
  const { text, count } = redactText(category);
  if (count === 0) return { text: category, count };
  const valid = normalizedCategory(text).slice(0, limits.finding.categoryLengthMax).replace(/_$/, '');
  return { text: valid, count };
}
