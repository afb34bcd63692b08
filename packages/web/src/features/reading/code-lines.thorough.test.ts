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

/** Repeated up to the maximum highlighted length, these make highlighters look ahead or backtrack. */
const runs = ['"', "'", '`', '\\', '(', '[', '{', '<', ' ', '\n', 'a', '0', '_', '$', '/', '*', '#', '=', '-', '\\"', '/*', '${', '`${', 'a<', '/[', 'a ', "'a", '=begin\n', '0.', '"""', '<!--', '{"a":', '- a: ', '<<A\n', '@', 'a.', '::', '?>', '<?', 'function(']; // prettier-ignore
/** Processor time. The slowest takes 160 ms; cubic growth would take seconds. */
const STALLED_MS = 400;

it.each(languages)('[T12] highlighting code of the maximum length takes bounded time in %s', (language) => {
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

/** This runs in Node, but the types of this folder are those of browsers. */
declare const process: { threadCpuUsage(began?: Spent): Spent };

/** Processor time of this thread, in milliseconds. */
function spentMs(work: () => void): number {
  const began = process.threadCpuUsage();
  work();
  const { user, system } = process.threadCpuUsage(began);
  return (user + system) / 1000;
}
