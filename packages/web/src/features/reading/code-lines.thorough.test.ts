import { expect, it } from 'vitest';
import { COLOURED_LENGTH_MAX } from './code-lines.ts';
import { runsOf } from './highlight.ts';

const languages = [
  'bash',
  'csharp',
  'go',
  'java',
  'javascript',
  'json',
  'php',
  'python',
  'ruby',
  'sql',
  'typescript',
  'yaml',
];

/** Runs that make highlighters look far ahead or go back, to the longest code that is coloured. */
const runs = ['"', "'", '`', '\\', '(', '[', '{', '<', ' ', '\n', 'a', '0', '_', '$', '/', '*', '#', '=', '-', '\\"', '/*', '${', '`${', 'a<', '/[', 'a ', "'a", '=begin\n', '0.', '"""', '<!--', '{"a":', '- a: ', '<<A\n', '@', 'a.', '::', '?>', '<?', 'function(']; // prettier-ignore
/** Processor time. The slowest takes 160 ms; where it grew with the cube of the length, it would be seconds. */
const STALLED_MS = 400;

it.each(languages)('[T12] code of the greatest length that is coloured stalls nobody in %s', (language) => {
  const stalled = runs.filter((run) => {
    const text = run.repeat(COLOURED_LENGTH_MAX).slice(0, COLOURED_LENGTH_MAX);
    return spentMs(() => runsOf(text, language)) > STALLED_MS;
  });
  expect(stalled).toEqual([]);
});

interface Spent {
  readonly user: number;
  readonly system: number;
}

/** Node runs this; the types of this folder are those of browsers. */
declare const process: { threadCpuUsage(began?: Spent): Spent };

/** Processor time of this thread, in milliseconds. */
function spentMs(work: () => void): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}
