/** The data embedded in the document of a page. */

export interface FirstAnswer {
  readonly name: string;
  readonly input?: unknown;
  readonly body: unknown;
  readonly rejection?: { readonly code: string; readonly retryAfterMs: number | null };
}

const FIRST_DATA = /<script type="application\/json" id="first-data">([^<]*)<\/script>/;

/** The embedded data, and the rest of the document. */
export async function firstDataOf(
  document: Response,
): Promise<{ readonly data: readonly FirstAnswer[]; readonly rest: string }> {
  const html = await document.text();
  const [, json = ''] = FIRST_DATA.exec(html) ?? [];
  return { data: JSON.parse(json) as FirstAnswer[], rest: html.replace(json, '') };
}
