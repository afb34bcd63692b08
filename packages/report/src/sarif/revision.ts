/** The commit that a log says it scanned. */
import type { LogRun } from './document.ts';
import { fields, listed, text } from './parts.ts';

/** As in a report's `scan.commit`: 7 to 64 hexadecimal characters. */
const COMMIT = /^[0-9a-f]{7,64}$/i;

/** Undefined unless every run names the same commit of one repository. */
export function revisionOf(runs: readonly Pick<LogRun, 'fields'>[]): string | undefined {
  const revisions = runs.flatMap(({ fields: run }) => {
    const repositories = listed(run['versionControlProvenance']);
    return repositories.length === 0 ? [undefined] : repositories.map((each) => fields(each)['revisionId']);
  });
  const distinct = new Set(revisions.map((revision) => text(revision)?.toLowerCase()));
  const [revision] = distinct;
  return distinct.size === 1 && revision !== undefined && COMMIT.test(revision) ? revision : undefined;
}
