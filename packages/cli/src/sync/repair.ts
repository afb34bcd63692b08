/**
 * Redacts what the service found unsafe in a finished report, at exactly the places that it named, in the store and in the
 * body. A newer service knows more kinds of secrets than this client, and that must not block a report.
 */
import type { Failure } from '@svc/client';
import { limits, type ErrorCode, type Issue } from '@svc/contract';
import type { CanonicalReport } from '@svc/report';
import { CliError } from '../errors.ts';
import { canonicalReport } from '../report/canonical.ts';
import { findingsOf } from '../store/findings.ts';
import { frozenReport, refreeze } from '../store/freezing.ts';
import type { Lease } from '../store/leases.ts';
import { findReport } from '../store/reports.ts';
import type { Store } from '../store/store.ts';
import { partsOf, restored } from './report-parts.ts';

/** Longer than the minimum length of any text in a report, and not a secret itself. */
export const REMOVED = '[redacted: requested by the service]';
/** Replaces a category, which must match a pattern. The finding keeps its fingerprint. */
const REMOVED_CATEGORY = 'redacted';
const CATEGORY = /^\/findings\/\d+\/category$/;
/** The commit must match a pattern too. It is optional, so it is deleted instead. */
const COMMIT = '/scan/commit';

export interface RepairResult {
  readonly places: number;
  /** The service names a limited number of places per response. */
  readonly mayBeMore: boolean;
}

/** @throws CliError when a place cannot be redacted; the report is then unchanged. */
export function repair(
  store: Store,
  localReportId: string,
  { code, requestId, details }: Failure<string>['error'],
  lease: Lease,
): RepairResult {
  const issues = Array.isArray(details?.['issues']) ? (details['issues'] as Issue[]) : [];
  const at = new Date().toISOString();
  const cannot = (paths: readonly string[]) =>
    new CliError('failed', 'The service rejected parts of the report that svc cannot redact.', {
      code: code as ErrorCode,
      requestId,
      details: paths,
      hint: `Update svc and run svc sync; the report stays on this machine: svc report show --report ${localReportId}`,
    });
  const paths = [...new Set(issues.map(({ path }) => path))];
  const others = issues.filter(({ rule }) => rule !== 'secret').map(({ path }) => path);
  if (paths.length === 0 || others.length > 0) throw cannot(others);
  const inStore = placesInStore(store, localReportId);
  return refreeze(
    store,
    localReportId,
    (before, local) => {
      const parts = partsOf(local, [...before.findings]);
      const left = paths.filter((path) => !emptied(parts, inStore(path)));
      if (left.length > 0) throw cannot(left);
      const { findings, details: changed } = restored(parts, local);
      const set = { ...before, findings };
      const known = { ...changed, redactions: local.redactions + paths.length };
      const { bytes, fitted } = canonicalReport({ ...local, ...known }, set, { at });
      return {
        set,
        details: { ...known, fitted },
        bytes,
        result: { places: paths.length, mayBeMore: paths.length >= limits.issuesMax },
      };
    },
    { at, lease },
  );
}

const FINDING = /^\/findings\/(\d{1,6})(?=\/)/;

/** The findings of a shortened report have other positions in the store, which contains all of them. */
function placesInStore(store: Store, localReportId: string): (path: string) => string {
  const frozen = frozenReport(store, localReportId);
  if (frozen === undefined || !findReport(store, localReportId)?.fitted?.findingsLeftOut)
    return (path) => path;
  const sent = store.parsed<CanonicalReport>(Buffer.from(frozen.bytes).toString()).findings;
  const places = new Map(findingsOf(store, localReportId).findings.map(({ id }, index) => [id, index]));
  return (path) =>
    path.replace(FINDING, (given, index: string) => {
      const place = places.get(sent[Number(index)]?.id ?? '');
      return place === undefined ? given : `/findings/${place}`;
    });
}

/**
 * Redacts the text at a pointer, or deletes it if it is the commit.
 * @returns false when there is no text at the pointer.
 */
function emptied(parts: object, pointer: string): boolean {
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = steps.pop();
  if (last === undefined) return false;
  let at: unknown = parts;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, step)) return false;
    at = (at as Record<string, unknown>)[step];
  }
  if (typeof at !== 'object' || at === null || !Object.hasOwn(at, last)) return false;
  const fields = at as Record<string, unknown>;
  if (typeof fields[last] !== 'string') return false;
  if (pointer === COMMIT) delete fields[last];
  else fields[last] = CATEGORY.test(pointer) ? REMOVED_CATEGORY : REMOVED;
  return true;
}
