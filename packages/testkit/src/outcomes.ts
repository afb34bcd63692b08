/** Unwraps the results of client calls. */
type Successful<Outcome> = Extract<Outcome, { readonly ok: true }>;

/** The body of a successful call. Any other result fails the test with the returned code. */
export function bodyOf<Outcome extends { readonly ok: boolean }>(
  outcome: Outcome,
): Successful<Outcome> extends { readonly body: infer Body } ? Body : never {
  if (outcome.ok) return (outcome as unknown as { body: never }).body;
  const { error } = outcome as unknown as { error: { code: string; message: string } };
  throw new Error(`expected a success, got ${error.code}: ${error.message}`);
}

/** The result of a call in one word: its error code, or `ok`. */
export function codeOf(outcome: {
  readonly ok: boolean;
  readonly error?: { readonly code: string };
}): string {
  return outcome.ok ? 'ok' : (outcome.error?.code ?? 'none');
}

/** The results of concurrent calls, in call order. */
export function atOnce<Outcome>(
  count: number,
  call: (index: number) => Promise<Outcome>,
): Promise<Outcome[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => call(index)));
}
