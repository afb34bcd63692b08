/** HTML from templates in which every value is escaped unless it is HTML already. */
declare const brand: unique symbol;
export type Html = { readonly text: string; readonly [brand]: 'html' };

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function html(parts: TemplateStringsArray, ...values: readonly (Html | string)[]): Html {
  const text = parts.reduce((done, part, index) => {
    const value = values[index - 1] ?? '';
    return (
      done +
      (typeof value === 'string' ? value.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '') : value.text) +
      part
    );
  });
  return { text } as Html;
}
