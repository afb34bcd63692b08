/** The maximum report size that a service names when it rejects a report as too large; undefined if it names none. */
export function sizeBytesMaxIn(message: string): number | undefined {
  const [, named] = /\b([0-9]{1,15}) bytes\b/.exec(message) ?? [];
  return named === undefined ? undefined : Number(named);
}
