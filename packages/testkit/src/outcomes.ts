/** What a call that must have succeeded came to. */
type Successful<Outcome> = Extract<Outcome, { readonly ok: true }>;

/** The body of a success. Anything else ends the test with the code that was answered. */
export function bodyOf<Outcome extends { readonly ok: boolean }>(
  outcome: Outcome,
): Successful<Outcome> extends { readonly body: infer Body } ? Body : never {
  if (outcome.ok) return (outcome as unknown as { body: never }).body;
  const { error } = outcome as unknown as { error: { code: string; message: string } };
  throw new Error(`expected a success, got ${error.code}: ${error.message}`);
}

/** What a call came to in one word: its code, or `ok`. */
export function codeOf(outcome: {
  readonly ok: boolean;
  readonly error?: { readonly code: string };
}): string {
  return outcome.ok ? 'ok' : (outcome.error?.code ?? 'none');
}
