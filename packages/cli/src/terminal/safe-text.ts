/** Text that cannot steer a terminal. Everything that is printed passes through here, whatever its source. */
import { mark } from './colours.ts';

/**
 * What could steer a terminal: escape sequences (with parameters, or with a text up to its end), all control characters
 * except tab and line feed, and the marks that reorder or hide text.
 */
const steering =
  // eslint-disable-next-line no-control-regex
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|[\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\uDB40][\uDC00-\uDFFF]/g;

// linear: the mark is digits, and each part matches in one way.
const own = new RegExp(`^\u001B\\[(\\d{1,2});${mark}m$`);

const LINE_BREAKS = /\r?\n|\r|\u2028|\u2029/g;
/** In code units; longer than any title, location or message, and any path on most systems. */
const TEXT_LENGTH_MAX = 4096;
/** The limit for a line that this program composes of such texts. */
const LINE_LENGTH_MAX = 16_384;

/**
 * One line of untrusted text: no sequences, no control characters except tabs, line breaks as spaces, and a limited
 * length.
 */
export function safeLine(text: string): string {
  return shortened(text, TEXT_LENGTH_MAX).replaceAll(LINE_BREAKS, ' ').replaceAll(steering, '');
}

/**
 * Text that this program wrote, ready to print: its own colours stay, and nothing else that could steer the terminal.
 */
export function printable(text: string): string {
  return text.replaceAll(steering, (found) => {
    const code = own.exec(found)?.[1];
    return code === undefined ? '' : `\u001B[${code}m`;
  });
}

/** Like `printable`, but always one line of limited length. */
export function printableLine(line: string): string {
  return printable(shortened(line, LINE_LENGTH_MAX).replaceAll(LINE_BREAKS, ' '));
}

/** Cuts a text before it is searched, so that a long text costs no more than its beginning. */
function shortened(text: string, lengthMax: number): string {
  return text.length <= lengthMax ? text : `${text.slice(0, lengthMax - 1).toWellFormed()}…`;
}

/** JSON that is the same value for a program, and harmless when a person looks at it. */
export function printableJson(value: unknown, indentation = 2): string {
  return escapedJson(JSON.stringify(value, null, indentation));
}

/** JSON of the same value, with characters escaped that could steer a terminal. They occur only within strings. */
export function escapedJson(json: string): string {
  return json.replaceAll(
    /[\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u2028-\u202E\u2060-\u206F\uFEFF\uFFF9-\uFFFB]|[\uDB40][\uDC00-\uDFFF]/g,
    (found) => found.split('').map(escapedUnit).join(''),
  );
}

function escapedUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
