/** Reports what exceeded a limit: how many, and how severe. */
import { severities, type Severity } from '@svc/contract';

export type SeverityCounts = Readonly<Record<Severity, number>>;

export function countSeverities(of: readonly { readonly severity: Severity }[]): SeverityCounts {
  const counts = { ...noneLeftOut };
  for (const { severity } of of) counts[severity] += 1;
  return counts;
}

export const noneLeftOut: SeverityCounts = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };

export function sumOf(all: readonly SeverityCounts[]): SeverityCounts {
  const sum = { ...noneLeftOut };
  for (const counts of all) for (const severity of severities) sum[severity] += counts[severity];
  return sum;
}

export function totalOf(counts: SeverityCounts): number {
  return severities.reduce((sum, severity) => sum + counts[severity], 0);
}

/**
 * `40,000 results left out, 1,200 of them high, 38,800 low: a report can have at most 10,000 findings.`
 *
 * @param noun in the singular.
 */
export function leftOutSentence(counts: SeverityCounts, noun: string, reason: string): string {
  const some = severities.filter((severity) => counts[severity] > 0);
  const total = totalOf(counts);
  const [worst = 'info'] = some;
  const written = (count: number) => count.toLocaleString('en');
  const parts = some.map(
    (severity) => `${written(counts[severity])} ${severity === worst ? 'of them ' : ''}${severity}`,
  );
  const named =
    some.length > 1 ? parts.join(', ') : total === 1 ? `of severity ${worst}` : `all of them ${worst}`;
  return `${written(total)} ${total === 1 ? noun : `${noun}s`} left out, ${named}: ${reason}.`;
}
