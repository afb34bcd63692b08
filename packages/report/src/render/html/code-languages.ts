/**
 * How the highlighter reads each language: its keywords, and the form of its comments and strings.
 *
 * All languages use the library's general lexer, which reads a text once from start to end. The library's lexers for
 * JavaScript, TypeScript, CSS and HTML are left out: their time grows with the square of the text, to seconds for a
 * hostile one.
 */
import type { ParseOptions } from 'sugar-high/core';
import * as c from 'sugar-high/lang/c';
import * as cpp from 'sugar-high/lang/cpp';
import * as csharp from 'sugar-high/lang/csharp';
import * as go from 'sugar-high/lang/go';
import * as java from 'sugar-high/lang/java';
import * as json from 'sugar-high/lang/json';
import * as kotlin from 'sugar-high/lang/kotlin';
import * as php from 'sugar-high/lang/php';
import * as python from 'sugar-high/lang/python';
import * as ruby from 'sugar-high/lang/ruby';
import * as rust from 'sugar-high/lang/rust';
import * as shell from 'sugar-high/lang/shell';
import * as sql from 'sugar-high/lang/sql';
import * as yaml from 'sugar-high/lang/yaml';

const { onCommentStart, onCommentEnd } = c;

const javascriptWords =
  'as async await break case catch class const continue debugger default delete do else export extends false finally for ' +
  'from function if import in instanceof let new of return static super switch this throw true try typeof undefined var ' +
  'void while with yield';
const typescriptWords =
  'abstract any asserts bigint boolean declare enum implements infer interface is keyof namespace never number object ' +
  'override private protected public readonly satisfies string symbol type unknown';

const javascript: ParseOptions = {
  keywords: new Set(javascriptWords.split(' ')),
  templateStrings: true,
  onCommentStart,
  onCommentEnd,
};
const typescript: ParseOptions = {
  ...javascript,
  keywords: new Set([...javascriptWords.split(' '), ...typescriptWords.split(' ')]),
};

/** The apostrophe in `don't` begins no string; these languages have unquoted words. */
const onQuote = (_quote: string, index: number, code: string) =>
  /\w/.test(code.charAt(index - 1)) ? 1 : undefined;

/** The languages by the names of `languages.ts`. */
export const codeLanguages: Readonly<Partial<Record<string, ParseOptions>>> = {
  bash: { ...shell, onQuote },
  c,
  cpp,
  csharp,
  go,
  java,
  javascript,
  json,
  kotlin,
  php,
  python,
  ruby,
  rust,
  sql,
  typescript,
  yaml: { ...yaml, onQuote },
};
