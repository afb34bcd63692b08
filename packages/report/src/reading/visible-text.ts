/**
 * Text of a report made safe to show: well-formed, in lines, and without invisible characters that change how other
 * characters are shown. Each is replaced by its name, so that a report on such an attack stays readable.
 */

/** CR LF, CR, and the separators that some programs treat as the end of a line. */
const LINE_ENDS = /\r\n|[\r\u0085\u2028\u2029]/g;

/** Controls except tab and line feed, and characters that embed, override or isolate a writing direction. */
// oxlint-disable-next-line no-control-regex
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** Nearly no text has any of these, and one test is cheaper than three. */
// oxlint-disable-next-line no-control-regex
const CHANGED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069\ud800-\udfff]/;

/** Lines end with a line feed; `[U+202E]` stands for a character that can't be shown. */
export function visibleText(text: string): string {
  if (!CHANGED.test(text)) return text;
  return text.toWellFormed().replace(LINE_ENDS, '\n').replace(UNSEEN, nameOf);
}

/** Like `visibleText`, but on one line, without space at its ends. */
export function visibleLine(text: string): string {
  return visibleText(text).replaceAll('\n', ' ').trim();
}

function nameOf(character: string): string {
  return `[U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}]`;
}
