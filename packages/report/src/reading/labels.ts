/** Labels of enum values, times, locations and counts, for pages and files alike. */
import type { ProjectedFinding, Severity, Verification } from '@svc/contract';
import { evidenceKinds, findingStatuses, fixActions, severities, verifications } from '@svc/contract/enums';

/** Parts of categories that are written in capitals. */
const initials: ReadonlySet<string> = new Set(
  'api cors csp csrf css dns html http idor jwt ldap rce smtp sql ssrf tls url xml xss xxe'.split(' '),
);

/** `strong_evidence` is shown as `Strong evidence`, `sql_injection` as `SQL injection`. Do not use it for free text. */
export function labelOf(word: string): string {
  const text = word
    .split('_')
    .map((part) => (initials.has(part) ? part.toUpperCase() : part))
    .join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

/** What each severity means, in words for readers outside of security. */
export const severityMeanings: Readonly<Record<Severity, string>> = {
  critical: 'Can be exploited now, with severe damage. Fix it immediately.',
  high: 'Can be exploited with serious damage. Fix it within days.',
  medium: 'Causes damage under certain conditions. Plan the fix.',
  low: 'Causes little damage, or only together with other weaknesses. Fix it when convenient.',
  info: 'No weakness in itself, but worth knowing.',
};

/** What each verification means. */
export const verificationMeanings: Readonly<Record<Verification, string>> = {
  verified: 'Confirmed: it was reproduced or proved.',
  strong_evidence: 'The evidence is strong, but nobody has reproduced it.',
  needs_review: 'Reported, for instance by a scanner. A person should check it.',
};

/** Labels of the enum values that every finding has. */
export const enumLabels = Object.fromEntries(
  [...verifications, ...findingStatuses, ...evidenceKinds, ...fixActions].map((word) => [
    word,
    labelOf(word),
  ]),
) as Readonly<Record<Word, string>>;

type Word =
  | (typeof verifications)[number]
  | (typeof findingStatuses)[number]
  | (typeof evidenceKinds)[number]
  | (typeof fixActions)[number];

/** The time to the minute: `2026-03-04 05:06 UTC`. */
export function timeLabelOf(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`;
}

/** A duration in one unit or two; undefined for invalid times, and if the second is not later than the first. */
export function duration(from: string, to: string): string | undefined {
  const ms = Date.parse(to) - Date.parse(from);
  if (!(ms > 0)) return undefined;
  const seconds = Math.round(ms / 1000);
  if (seconds < 1) return 'less than 1 s';
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return `${minutes} min`;
  const rest = minutes % 60;
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`;
}

/** `src/a.ts:4-9`, otherwise the route or the origin; empty without any of them. */
export function locationOf({
  file,
  lineStart,
  lineEnd,
  route,
  origin,
}: ProjectedFinding['affected']): string {
  if (!file) return route || origin || '';
  if (lineStart === undefined) return file;
  return lineEnd === undefined || lineEnd === lineStart
    ? `${file}:${lineStart}`
    : `${file}:${lineStart}-${lineEnd}`;
}

/** `1 finding`, `2 findings`. */
export function counted(count: number, one: string): string {
  return `${count} ${count === 1 ? one : `${one}s`}`;
}

/** The most severe first, otherwise in the order of the report. */
export function worstFirst<Finding extends Pick<ProjectedFinding, 'severity'>>(
  findings: readonly Finding[],
): Finding[] {
  const sorted: Finding[] = [];
  for (const severity of severities) {
    for (const finding of findings) if (finding.severity === severity) sorted.push(finding);
  }
  return sorted;
}
