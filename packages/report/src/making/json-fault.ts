/** Where a text stops being valid JSON, so that people can find the error. Reveals nothing of the text. */
import { printParseErrorCode, visit } from 'jsonc-parser';

/** The sentence for each error of the parser, by the parser's name for it. */
const sentences: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes is expected',
  ValueExpected: 'a value is expected',
  ColonExpected: 'a colon is expected',
  CommaExpected: 'a comma is expected',
  CloseBraceExpected: 'a closing brace is expected',
  CloseBracketExpected: 'a closing bracket is expected',
  EndOfFileExpected: 'unexpected text after the value',
  InvalidCommentToken: 'comments are not allowed',
  UnexpectedEndOfComment: 'comments are not allowed',
  UnexpectedEndOfString: 'an unterminated string',
  UnexpectedEndOfNumber: 'an incomplete number',
  InvalidNumberFormat: 'not a number',
  InvalidUnicode: 'an invalid escape',
  InvalidEscapeCharacter: 'an invalid escape',
  InvalidCharacter: 'a control character in a string',
};

class FirstFault extends Error {}

/**
 * For a text that `JSON.parse` has rejected.
 *
 * @returns for instance `line 3, column 14: a comma is expected`, counted from 1 and in characters; undefined when the
 * position is unknown, as in a value nested thousands of levels deep.
 */
export function jsonFault(text: string): string | undefined {
  const faults: { readonly name: string; readonly offset: number }[] = [];
  try {
    visit(
      text,
      {
        onError(code, offset) {
          faults.push({ name: printParseErrorCode(code), offset });
          // The parser would misread the rest of the text.
          throw new FirstFault();
        },
      },
      { disallowComments: true, allowTrailingComma: false },
    );
  } catch (error) {
    if (!(error instanceof FirstFault || error instanceof RangeError)) throw error;
  }
  const [fault] = faults;
  if (fault === undefined) return undefined;
  const what = isBlankFrom(text, fault.offset)
    ? 'unexpected end of the text'
    : (sentences[fault.name] ?? 'unexpected text');
  return `${placeOf(text, fault.offset)}: ${what}`;
}

function isBlankFrom(text: string, offset: number): boolean {
  for (let at = offset; at < text.length; at += 1) if (!' \t\r\n'.includes(text.charAt(at))) return false;
  return true;
}

function placeOf(text: string, offset: number): string {
  let [line, column] = [1, 1];
  for (let at = 0; at < offset; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === LINE_FEED || (unit === RETURN && text.charCodeAt(at + 1) !== LINE_FEED)) {
      line += 1;
      column = 1;
    } else if (!isSecondHalf(unit)) {
      column += 1;
    }
  }
  return `line ${line}, column ${column}`;
}

const LINE_FEED = 10;
const RETURN = 13;

/** Whether a unit is the second half of a character with two code units. */
function isSecondHalf(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/** Like `jsonFault`, for bytes. Undefined if they are blank or valid JSON. Invalid UTF-8 is not a fault here. */
export function jsonFaultIn(bytes: Uint8Array): string | undefined {
  const text = new TextDecoder().decode(bytes);
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return jsonFault(text);
  }
}
