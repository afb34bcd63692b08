/** Of a log that is also about style, the results of the rules that are about security. */
type Fields = Readonly<Record<string, unknown>>;

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** What is no log comes back as it is, for the import to say so. @throws SyntaxError when it is no JSON */
export function securityResultsOnly(
  bytes: Uint8Array,
  isSecurityRule: (ruleId: string) => boolean,
): string | Uint8Array {
  const log: unknown = JSON.parse(Buffer.from(bytes).toString());
  if (!isFields(log) || !Array.isArray(log['runs'])) return bytes;
  const runs = log['runs'].map((run: unknown) =>
    isFields(run) && Array.isArray(run['results'])
      ? { ...run, results: run['results'].filter(isWanted) }
      : run,
  );
  return JSON.stringify({ ...log, runs });

  function isWanted(result: unknown): boolean {
    const ruleId = isFields(result) ? result['ruleId'] : undefined;
    return typeof ruleId === 'string' && isSecurityRule(ruleId);
  }
}
