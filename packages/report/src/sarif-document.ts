/**
 * A SARIF log as it was found: bytes or text to JSON of which nothing is believed. Readers take a part for what it should
 * be and get an empty one where it is something else, so a log that breaks its schema loses that part and no more.
 */
export type Fields = Readonly<Record<string, unknown>>;

export function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {};
}

export function items(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** Text with something in it. */
export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.toWellFormed() : undefined;
}

/** A whole number from 0. */
export function natural(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
}

/** The item at a number that a log gives; a log says -1 for none. */
export function itemAt(list: unknown, index: unknown): Fields | undefined {
  const at = natural(index);
  const item = at === undefined ? undefined : items(list)[at];
  return item === undefined ? undefined : fields(item);
}

/** Why a log can not be imported, and what to do about it. Holds nothing of the log's contents. */
export class SarifError extends Error {
  override readonly name = 'SarifError';
}

const BYTES_MAX = 64 * 1024 * 1024;

/** @throws SarifError when it is no SARIF 2.1.0 log. */
export function readSarif(input: string | Uint8Array): Fields {
  if (input.length > BYTES_MAX)
    throw new SarifError(
      'The log is larger than 64 MiB: have the scanner leave file contents and snippets out.',
    );
  const content = (typeof input === 'string' ? input : decoded(input)).replace(/^\ufeff/, '');
  let value: unknown;
  try {
    value = JSON.parse(content);
  } catch {
    throw new SarifError(
      content.trim() === ''
        ? 'The file is empty: see whether the scanner ran to its end.'
        : 'The file is not JSON: have the scanner write SARIF, often --format sarif.',
    );
  }
  const log = fields(value);
  const version = text(log['version']) ?? versionOfSchema(log['$schema']);
  if (!Array.isArray(log['runs']) || version === undefined)
    throw new SarifError(
      'The file is JSON, but no SARIF log (it has no version or no runs): have the scanner write SARIF 2.1.0.',
    );
  if (version !== '2.1.0')
    throw new SarifError(
      'The log has another version of SARIF than 2.1.0: update the scanner, or convert the log with the SARIF Multitool (sarif transform).',
    );
  return log;
}

/** Some tools leave the version out and give the schema. */
function versionOfSchema(schema: unknown): string | undefined {
  return text(schema)?.includes('sarif-2.1.0') ? '2.1.0' : undefined;
}

/** UTF-8, or UTF-16 with a byte-order mark. What is neither loses single characters, not the log. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return new TextDecoder('utf-8').decode(bytes);
}
