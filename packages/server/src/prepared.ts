/** Answers whose bytes are made once and sent many times, so that a reader of a large report costs no more than its bytes. */
export const codings = ['br', 'gzip', 'identity'] as const;
/** A content coding, most wanted first. */
export type Coding = (typeof codings)[number];

export interface Prepared {
  readonly contentType: string;
  /** Given when the answer is a file to be saved. */
  readonly fileName?: string;
  /** Given for what is public, and never another thing under the same address. */
  readonly isImmutable?: true;
  /** Given for what is public, and may be another thing in five minutes. */
  readonly isPublic?: true;
  /** Those that it is to be had in. */
  readonly codings: readonly Coding[];
  readonly bytesIn: (coding: Coding) => Promise<Uint8Array>;
}

/** A short answer, which is not worth a coding. */
export function preparedText(text: string, contentType = 'application/json; charset=utf-8'): Prepared {
  const bytes = new TextEncoder().encode(text);
  return {
    contentType,
    codings: ['identity'],
    bytesIn: async () => bytes,
  };
}
