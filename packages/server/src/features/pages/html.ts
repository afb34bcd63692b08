/** HTML templates that escape every value unless it is already HTML. */
declare const brand: unique symbol;
export type Html = { readonly text: string; readonly [brand]: 'html' };

const ESCAPES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export type Value = Html | string | number | readonly Html[];

export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  const text = parts.reduce((done, part, index) => done + textOf(values[index - 1] ?? '') + part);
  return { text } as Html;
}

function textOf(value: Value): string {
  if (typeof value === 'string') return value.replace(/[&<>"']/g, (found) => ESCAPES[found] ?? '');
  if (typeof value === 'number') return String(value);
  return 'text' in value ? value.text : value.map(({ text }) => text).join('');
}
