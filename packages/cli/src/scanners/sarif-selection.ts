/** Keeps only the results of security rules in a log that also contains style rules. */
import { withoutDeepParts } from '@svc/report';

type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Anything that is not a log is returned unchanged, for the import to report. */
export function securityResultsOnly(
  bytes: Uint8Array,
  isSecurityRule: (ruleId: string) => boolean,
): string | Uint8Array {
  const log = jsonOf(bytes);
  if (!isFields(log) || !Array.isArray(log['runs'])) return bytes;
  const runs = log['runs'].map((run: unknown) =>
    isFields(run) && Array.isArray(run['results'])
      ? { ...run, results: run['results'].filter(isWanted) }
      : run,
  );
  return JSON.stringify({ ...log, runs });

  function isWanted(result: unknown): boolean {
    // Invalid results are kept, because the import counts them.
    if (!isFields(result)) return true;
    const { ruleId } = result;
    return typeof ruleId === 'string' && isSecurityRule(ruleId);
  }
}

function jsonOf(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(withoutDeepParts(bytes).json).toString());
  } catch {
    return undefined;
  }
}
