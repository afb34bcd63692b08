/**
 * Texts that redaction made longer than their fields allow. A text that was cut to its full length can look like it
 * contains a secret. The replacement of the secret must not invalidate the report.
 */
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { CanonicalReport } from '../model/canonical.ts';
import { redactDeep } from '../secrets/redact.ts';
import { cut } from './texts.ts';

const ISSUES_MAX = 10_000;

/** Removes secrets. A text that becomes too long is cut to the length that it had before. */
export function redactedToFit(draft: CanonicalReport): CanonicalReport {
  const { value: report, paths } = redactDeep(draft);
  if (paths.length === 0) return report;
  const changed = new Set(paths);
  const tooLong = issuesOf(validatorOf(CanonicalReport), report, ISSUES_MAX).filter(({ path }) =>
    changed.has(path),
  );
  if (tooLong.length === 0) return report;
  const fitting = structuredClone(report);
  for (const { path } of tooLong) {
    const names = path.split('/').slice(1);
    const last = names.pop() ?? '';
    const before = valueIn(valueIn(draft, names), [last]);
    const holder = valueIn(fitting, names) as Record<string, unknown>;
    const text = holder[last];
    if (typeof text === 'string' && typeof before === 'string') holder[last] = cut(text, [...before].length);
  }
  return fitting;
}

function valueIn(value: unknown, names: readonly string[]): unknown {
  return names.reduce((inner, name) => (inner as Record<string, unknown>)[name], value);
}
