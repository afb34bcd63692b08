/** The body of a response; throws if it is an error. */
type Outcome = { readonly ok: boolean };
type BodyOf<Given> =
  Extract<Given, { readonly ok: true }> extends { readonly body: infer Body } ? Body : never;

export function done<Given extends Outcome>(outcome: Given): BodyOf<Given> {
  if (outcome.ok) return (outcome as unknown as { body: BodyOf<Given> }).body;
  const { error } = outcome as unknown as { error: { code: string; message: string } };
  throw new Error(`${error.code}: ${error.message}`);
}
