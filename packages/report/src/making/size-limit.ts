/** The largest report that a service accepts, in its message about one that is too large; undefined when it names none. */
export function sizeBytesMaxIn(message: string): number | undefined {
  const [, named] = /\b([0-9]{1,15}) bytes\b/.exec(message) ?? [];
  return named === undefined ? undefined : Number(named);
}
