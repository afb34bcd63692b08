/** A reason why the service cannot start, as lines for the operator: what is wrong and what to do. */
export class StartError extends Error {
  override readonly name = 'StartError';
  readonly lines: readonly string[];

  constructor(lines: string | readonly string[], options?: { cause?: unknown }) {
    const all = typeof lines === 'string' ? [lines] : lines;
    super(all.join('\n'), options);
    this.lines = all;
  }
}
