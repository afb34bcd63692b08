/** Logs of an invented scanner, one result for each file. */

export interface SampleResult {
  readonly file: string;
  /** `error` is imported as high, `warning` as medium, `note` as low. */
  readonly level: 'error' | 'warning' | 'note';
  readonly isSuppressed?: boolean;
}

export function sarifOf(results: readonly SampleResult[], tool = 'Linter'): string {
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: tool, version: '2.0' } }, results: results.map(resultOf) }],
  });
}

function resultOf({ file, level, isSuppressed = false }: SampleResult) {
  return {
    ruleId: 'no-eval',
    level,
    message: { text: `Code is made of text that a stranger may have written, in ${file}.` },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: file },
          region: { startLine: 3, snippet: { text: `eval(input) // ${file}` } },
        },
      },
    ],
    ...(isSuppressed && { suppressions: [{ kind: 'inSource' }] }),
  };
}
