/** Text that can not steer a terminal. Everything that is printed passes through here, whoever wrote it. */
import { mark } from './colours.ts';

/**
 * Sequences as a terminal reads them (with parameters, or with a text up to its end), any other control character but the
 * tab, and the marks that reorder or hide text: what is read must be what is there.
 */
const steering =
  // eslint-disable-next-line no-control-regex
  /\u001B\[[0-?]*[ -/]*[@-~]|\u001B[\]PX^_][^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)|[\u0000-\u0008\u000B-\u001F\u007F-\u009F]|[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

// linear: the mark is digits, and each part matches in one way.
const own = new RegExp(`^\u001B\\[(\\d{1,2});${mark}m$`);

/** One line of somebody else's text: no sequences, no controls, line breaks as spaces. */
export function safeLine(text: string): string {
  return text.replaceAll(/\r?\n|\r|\u2028|\u2029/g, ' ').replaceAll(steering, '');
}

/** What a line that this program wrote may be printed as: its own colours stay, and nothing else that steers. */
export function printable(line: string): string {
  return line.replaceAll(steering, (found) => {
    const code = own.exec(found)?.[1];
    return code === undefined ? '' : `\u001B[${code}m`;
  });
}

/** JSON that is the same value for a program, and harmless where a person looks at it. */
export function printableJson(value: unknown, indentation = 2): string {
  return JSON.stringify(value, null, indentation).replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
