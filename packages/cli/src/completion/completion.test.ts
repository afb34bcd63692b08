/** The scripts, run by the shells themselves: whatever is offered comes from there. Shells that are not here are skipped. */
import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { commands } from '../commands/index.ts';
import type { Command } from '../command.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { placesOf } from './tree.ts';
import { zshScript } from './zsh.ts';

const load = () => Promise.reject(new Error('completion runs nothing'));
const examples = [{ command: 'svc', does: 'nothing' }];
const sample: readonly Command[] = [
  { name: 'plain', summary: "It's plain: \\ and $HOME", examples, load },
  {
    name: 'thing add',
    summary: 'Add a thing',
    arguments: [{ form: '<kind>', summary: 'Which', choices: ['large', 'little'] }],
    options: [
      { form: '-y, --yes', summary: 'Ask nothing' },
      { form: '--level <level>', summary: 'How much', choices: ['low', 'high'] },
      { form: '--file <path>', summary: 'From where' },
    ],
    examples,
    load,
  },
  { name: 'thing list', summary: 'List things', examples, load },
];

const isHere = (shell: string) => spawnSync(shell, ['--version']).status === 0;

type Complete = (script: string, words: readonly string[]) => string[];

const bash: Complete = (script, words) =>
  linesOf('bash', [
    '--norc',
    '-c',
    `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); _svc; printf '%s\\n' "\${COMPREPLY[@]}"`,
    'bash',
    ...words,
  ]);

// What shows the words is zsh's own and needs a screen; here it prints them.
const zsh: Complete = (script, words) =>
  linesOf('zsh', [
    '-f',
    '-c',
    `compdef() { : }; _files() { : }; compadd() { shift; print -rl -- $@ }
    _describe() { local entry; for entry in "\${(@P)2}"; do print -r -- "\${entry%%:*}"; done }
    ${script.replaceAll('words[', 'typed[')}
    typed=("$@"); CURRENT=$#typed; _svc`,
    'zsh',
    ...words,
  ]).filter((word) => word.startsWith(words.at(-1) ?? ''));

const fish: Complete = (script, words) =>
  linesOf('fish', ['--no-config', '-c', `${script}\ncomplete -C ${JSON.stringify(words.join(' '))}`]).map(
    (line) => line.split('\t')[0] ?? '',
  );

function linesOf(shell: string, words: readonly string[]): string[] {
  const text = execFileSync(shell, words, { encoding: 'utf8', cwd: import.meta.dirname });
  return text.split('\n').filter((line) => line !== '');
}

describe.each([
  { shell: 'bash', scriptOf: bashScript, complete: bash },
  { shell: 'zsh', scriptOf: zshScript, complete: zsh },
  { shell: 'fish', scriptOf: fishScript, complete: fish },
])('$shell', ({ shell, scriptOf, complete }) => {
  test.skipIf(!isHere(shell)).each([
    [
      ['svc', ''],
      ['plain', 'thing'],
    ],
    [['svc', 'th'], ['thing']],
    [
      ['svc', 'thing', ''],
      ['add', 'list'],
    ],
    [['svc', '--json', 'thing', 'a'], ['add']],
    [
      ['svc', 'thing', 'add', 'l'],
      ['large', 'little'],
    ],
    [['svc', 'thing', 'add', '--le'], ['--level']],
    [
      ['svc', 'thing', 'add', '--level', ''],
      ['high', 'low'],
    ],
    [['svc', 'thing', 'add', '--level', 'high', '--y'], ['--yes']],
    [['svc', 'thing', 'list', '--js'], ['--json']],
    [['svc', 'thing', 'list', '--lev'], []],
    [['svc', '--vers'], ['--version']],
  ])('offers after %j: %j', (words, expected) => {
    expect(complete(scriptOf(placesOf(sample)), words).toSorted()).toEqual(expected);
  });

  test.skipIf(!isHere(shell))('offers each command that there is', () => {
    const script = scriptOf(placesOf(commands));
    for (const { name } of commands) {
      const words = name.split(' ');
      expect(complete(script, ['svc', ...words])).toContain(words.at(-1));
    }
  });
});

test('a command that is a group as well is one place, with its own options, words and summary', () => {
  const own = { form: '--level <level>', summary: 'How much' };
  const places = placesOf([
    { name: 'walk', summary: 'Walk', options: [own], examples, load },
    { name: 'walk start', summary: 'Begin to walk', examples, load },
  ]);
  expect(places.map(({ path }) => path)).toEqual(['', 'walk', 'walk start']);
  expect(places[0]?.words).toEqual([{ word: 'walk', summary: 'Walk' }]);
  expect(places[1]).toMatchObject({
    words: [{ word: 'start' }],
    options: [{ flags: ['--level'] }, {}, {}, {}, {}],
  });
});
