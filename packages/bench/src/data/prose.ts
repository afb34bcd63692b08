/** Varied sentences and code as in findings, with the vocabulary of reports about secrets, but without a secret. */
import type { Draw } from './random.ts';

const nouns = [
  'account', 'token', 'session', 'order', 'invoice', 'secret', 'password', 'customer', 'request', 'webhook', 'upload',
  'report', 'cache', 'query', 'header', 'cookie', 'tenant', 'permission', 'payload', 'signature', 'template', 'file',
] as const; // prettier-ignore
const verbs = [
  'reads', 'trusts', 'forwards', 'logs', 'deserializes', 'concatenates', 'redirects to', 'skips the check of', 'caches',
] as const; // prettier-ignore
const adjectives = [
  'unchecked',
  'stale',
  'signed',
  'nested',
  'internal',
  'remote',
  'untrusted',
  'naïve',
] as const;
const methods = ['find', 'load', 'insert', 'verify', 'parse', 'render', 'update', 'send', 'open'] as const;

export function sentence(draw: Draw): string {
  const text = `the ${draw.of(adjectives)} ${draw.of(nouns)} handler ${draw.of(verbs)} the ${draw.of(nouns)} of another ${draw.of(nouns)}`;
  const tail = [
    ` before the ${draw.of(nouns)} is checked.`,
    `, so that a ${draw.of(nouns)} can be replayed “as is”.`,
    ` (see line ${draw.between(1, 2000)}).`,
    `; the ${draw.of(nouns)} has ${draw.between(2, 90)} callers.`,
  ] as const;
  return text.charAt(0).toUpperCase() + text.slice(1) + draw.of(tail);
}

export function paragraph(draw: Draw, sentences: number): string {
  return Array.from({ length: sentences }, () => sentence(draw)).join(' ');
}

export function snippet(draw: Draw, lines: number): string {
  let depth = 1;
  const written: string[] = [
    `export async function ${draw.of(methods)}_${draw.of(nouns)}(context, options = {}) {`,
  ];
  for (let line = 1; line < lines; line += 1) {
    const text = codeLine(draw);
    if (text.startsWith('}') && depth > 1) depth -= 1;
    written.push('  '.repeat(depth) + (text.startsWith('}') && depth === 1 ? '' : text));
    if (text.endsWith('{')) depth += 1;
  }
  return `${written.join('\n')}\n`;
}

function codeLine(draw: Draw): string {
  const [one, other, third] = [draw.of(nouns), draw.of(nouns), draw.of(nouns)];
  return draw.of([
    `const ${one} = await ${other}s.${draw.of(methods)}(context.${third}Id, { limit: ${draw.between(1, 500)} });`,
    `if (!${one} || ${one}.${other}Id !== context.${third}.id) {`,
    `throw new Error(\`no ${one} for \${${other}}\`); // see ${third}`,
    `log.debug("${draw.of(methods)} ${one}", { ${other}: ${other}?.name ?? 'unknown', at: Date.now() });`,
    `const url = new URL("https://${one}.example.com/api/v${draw.between(1, 9)}/${other}s?page=${draw.between(1, 99)}");`,
    `return response.status(${draw.of([200, 302, 403, 500])}).json({ ${one}, "${other}-${third}": true });`,
    `const rows = db.prepare("SELECT * FROM ${one}s WHERE ${other}_id = '" + ${third} + "' LIMIT ${draw.between(1, 99)}");`,
    `\t# ${draw.of(verbs)} ${one}: ${draw.of(adjectives)} \\d{3}-[a-z]+`,
    '}',
  ]);
}
