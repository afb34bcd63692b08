/** Progress at a terminal and in a log. */
import { expect, test } from 'vitest';
import { createProgress } from './progress.ts';

function shown(isTTY: boolean) {
  const written: string[] = [];
  let now = 1000;
  const output = { isTTY, columns: 20, write: (text: string) => written.push(text) };
  const progress = createProgress(output, () => now);
  return { ...progress, written, pass: (ms: number) => void (now += ms) };
}

test('at a terminal, one line is rewritten, cut to its width and removed at the end', () => {
  const { report, end, written, pass } = shown(true);
  report('Copying');
  report('Copying', 1, 1000);
  pass(100);
  report('Copying', 2, 1000);
  report('Checking what was copied');
  end();
  const clear = '\r\u{1b}[2K';
  expect(written).toEqual([
    `${clear}Copying…`,
    `${clear}Copying: 2 of 1000`,
    `${clear}Checking what was c`,
    clear,
  ]);
});

test('elsewhere, a line is printed every five seconds, and none by a quick command', () => {
  const { report, end, written, pass } = shown(false);
  report('Copying', 1);
  for (let second = 0; second < 11; second += 1) {
    pass(1000);
    report(second < 5 ? 'Copying' : 'Checking', second);
  }
  end();
  expect(written).toEqual(['Copying: 4\n', 'Checking: 9\n']);
});

test('nothing is cleared when nothing was shown', () => {
  const { end, written } = shown(true);
  end();
  expect(written).toEqual([]);
});
