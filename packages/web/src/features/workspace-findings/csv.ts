/** Findings as CSV (RFC 4180), made in the page. */
import type { WorkspaceFinding } from '@svc/contract';

const columns = [
  'project',
  'title',
  'severity',
  'status',
  'until',
  'verification',
  'category',
  'component',
  'file',
  'line',
  'first seen',
  'finding',
  'report',
] as const;

export function csvOf(findings: readonly WorkspaceFinding[]): string {
  const rows = findings.map((each) => [
    each.projectName,
    each.title,
    each.severity,
    each.status,
    each.until ?? '',
    each.verification,
    each.category,
    each.component,
    each.file ?? '',
    each.lineStart === undefined ? '' : String(each.lineStart),
    each.firstSeenAt,
    each.findingId,
    each.reportId,
  ]);
  return [columns, ...rows].map((row) => `${row.map(cellOf).join(',')}\r\n`).join('');
}

/** A spreadsheet would run a cell that begins with one of these as a formula. It takes the full-width forms for the others. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;

/** Always quoted: spreadsheets of some languages end an unquoted cell at a semicolon, and the rest would be another cell. */
function cellOf(text: string): string {
  const safe = FORMULA.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}
