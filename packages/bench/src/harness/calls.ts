/**
 * How many statements and other calls a service has made, as its own metrics count them. Checks of the blob store and
 * of the counters do not count.
 */
export interface Calls {
  /** SQL statements, without the beginning and the end of transactions. */
  readonly statements: number;
  readonly transactions: number;
  /** Calls of the blob store. */
  readonly blobs: number;
  /** Calls of the rate-limit counters. */
  readonly counters: number;
}

const NAME = 'svc_dependency_call_duration_seconds_count{';
const NOT_STATEMENTS = new Set(['BEGIN', 'COMMIT', 'ROLLBACK', 'CONNECT']);

/** @param token the METRICS_TOKEN of the service. */
export async function readCalls(url: string, token: string): Promise<Calls> {
  const response = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } });
  if (!response.ok) throw new Error(`/metrics returned ${response.status}.`);
  const text = await response.text();
  const calls = { statements: 0, transactions: 0, blobs: 0, counters: 0 };
  for (const line of text.split('\n').filter((each) => each.startsWith(NAME))) {
    const end = line.lastIndexOf('} ');
    const labels = line.slice(NAME.length, end);
    const count = line.slice(end + 2);
    const dependency = labelOf(labels, 'dependency');
    const operation = labelOf(labels, 'operation');
    if (operation === 'check') continue;
    if (dependency === 'blobs') calls.blobs += Number(count);
    else if (dependency === 'counters') calls.counters += Number(count);
    else if (operation === 'BEGIN') calls.transactions += Number(count);
    else if (!NOT_STATEMENTS.has(operation)) calls.statements += Number(count);
  }
  return calls;
}

function labelOf(labels: string, name: string): string {
  const [, after = ''] = labels.split(`${name}="`);
  return after.slice(0, after.indexOf('"'));
}
