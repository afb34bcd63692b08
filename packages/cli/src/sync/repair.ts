/**
 * Takes out of a finished report what the service found unsafe in it, at exactly the places that it named, in what the
 * store holds as well as in the bytes: a newer service knows more secrets than this client, and no report is stranded by
 * that.
 */
import type { Failure } from '@svc/client';
import { limits, type ErrorCode, type Issue } from '@svc/contract';
import { CliError } from '../errors.ts';
import { canonicalReport } from '../report/canonical.ts';
import { refreeze } from '../store/freezing.ts';
import type { Lease } from '../store/leases.ts';
import type { Store } from '../store/store.ts';
import { partsOf, restored } from './report-parts.ts';

/** Long enough for the shortest text that a report may hold, and no secret itself. */
export const REMOVED = '[redacted: the service asked for it]';
/** A category must match a pattern. Its finding keeps its fingerprint. */
const REMOVED_CATEGORY = 'redacted';
const CATEGORY = /^\/findings\/\d+\/category$/;
/** Also bound to a pattern, and optional. */
const COMMIT = '/scan/commit';

export interface Repaired {
  readonly places: number;
  /** The service names only so many places at once. */
  readonly mayBeMore: boolean;
}

/** @throws CliError when a place can not be emptied; the report is then as it was. */
export function repair(
  store: Store,
  localReportId: string,
  { code, requestId, details }: Failure<string>['error'],
  lease: Lease,
): Repaired {
  const issues = Array.isArray(details?.['issues']) ? (details['issues'] as Issue[]) : [];
  const at = new Date().toISOString();
  const cannot = (paths: readonly string[]) =>
    new CliError('failed', 'The service refuses parts of the report that can not be taken out of it.', {
      code: code as ErrorCode,
      requestId,
      details: paths,
      hint: `Update svc and run svc sync; the report stays on this machine: svc report show --report ${localReportId}`,
    });
  const paths = [...new Set(issues.map(({ path }) => path))];
  if (paths.length === 0) throw cannot([]);
  return refreeze(
    store,
    localReportId,
    (before, local) => {
      const parts = partsOf(local, [...before.findings]);
      const left = paths.filter((path) => !emptied(parts, path));
      if (left.length > 0) throw cannot(left);
      const { findings, details: changed } = restored(parts, local);
      const set = { ...before, findings };
      const known = { ...changed, redactions: local.redactions + paths.length };
      const { bytes } = canonicalReport({ ...local, ...known }, set, { at });
      return {
        set,
        details: known,
        bytes,
        result: { places: paths.length, mayBeMore: paths.length >= limits.issuesMax },
      };
    },
    { at, lease },
  );
}

/** Where a text stands there, or a list or an object of texts. @returns false when there is nothing to take out. */
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
