import { describe, expect, it } from 'vitest';
import { processorMs } from '../../../test/processor-time.ts';
import { codeLanguages } from './code-languages.ts';
import { createCodeWriter } from './code.ts';

const languages = Object.keys(codeLanguages);
const written = (text: string, language: string) =>
  createCodeWriter()({ text, label: 'Code', language }).toString();

/** Texts that make lexers look ahead or backtrack, each repeated to the maximum length of a snippet. */
const runs = [
  '"', "'", '`', '\\', '(', '[', '{', '<', ' ', '\n', '\t', 'a', '0', '_', '$', '/', '*', '#', '=', '-', '\\"', '"\\', '/*',
  '*/', '${', '`${', 'a<', 'fn a<', '/[', 'a ', '"a" ', "a'", "'a", "'\\", '=begin\n', '\n=', '0.', '"""', '<!--', '?a:',
  '\u00e9', '\u{1f600}', '\ud800', 'r#"', '"\n', "'\n", '((a', '&lt;',
]; // prettier-ignore

/** Processor time. Quadratic growth would take seconds. */
const STALLED_MS = 400;

describe('[T12] highlighting code of the maximum length', () => {
  it.each(languages)('takes bounded time in %s, even for texts that slow lexers down', (language) => {
    const stalled = runs.filter((run) => {
      const text = run.repeat(Math.ceil(24_000 / run.length)).slice(0, 24_000);
      return processorMs(() => void written(text, language)) > STALLED_MS;
    });
    expect(stalled).toEqual([]);
  });
});
