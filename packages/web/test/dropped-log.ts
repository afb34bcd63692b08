/** Dropping SARIF logs on pages, in tests. */
import type { Page } from 'playwright-core';

/** A secret that redaction finds, generated at run time. */
export const plantedSecret = ['AKIA', 'Z7QF3KJ2', 'LMNP4RST'].join('');

/** A log of a linter with a secret in a message and in its code. */
export function plantedLog(): string {
  const results = ['Orders are read by their id alone', `The key is ${plantedSecret}`].map((text, index) => ({
    ruleId: `planted-${index}`,
    level: index === 0 ? 'error' : 'note',
    message: { text },
    locations: [
      {
        physicalLocation: {
          artifactLocation: { uri: `src/till-${index}.js` },
          region: { startLine: 1, ...(index === 1 && { snippet: { text: `key = '${plantedSecret}'` } }) },
        },
      },
    ],
  }));
  return JSON.stringify({
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'Linter', version: '2.0' } }, results }],
  });
}

/** A log as `readLog` takes it. */
export function bytesOf(text: string) {
  const bytes = new TextEncoder().encode(text);
  return { length: bytes.length, read: (start: number, end: number) => bytes.subarray(start, end) };
}

export interface DroppedFile {
  readonly name: string;
  readonly text?: string;
  /** An expression that the page evaluates to the text, instead of `text`. */
  readonly expression?: string;
}

/** Drops files on the page, as from another window. */
export async function dropOn(page: Page, ...files: readonly DroppedFile[]): Promise<void> {
  const made = files.map(
    ({ name, text, expression = JSON.stringify(text) }) =>
      `new File([${expression}], ${JSON.stringify(name)})`,
  );
  const dropped = await page.evaluateHandle<unknown>(`(() => {
    const transfer = new DataTransfer();
    for (const file of [${made.join()}]) transfer.items.add(file);
    return transfer;
  })()`);
  for (const type of ['dragover', 'drop']) await page.dispatchEvent('body', type, { dataTransfer: dropped });
}
