/** The completion scripts, run by the shells themselves. Missing shells are skipped. */
import { execFileSync, spawnSync } from 'node:child_process';
import { someOf } from '@svc/testkit/lane';
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
      { form: '--file <path>', summary: 'From where', completes: 'files' },
      { form: '--name <name>', summary: 'Its name' },
      { form: '--only <scanners...>', summary: 'By which', completes: 'scanners', list: 'words' },
      { form: '--log <files...>', summary: 'Its logs', completes: 'files', list: 'files' },
    ],
    examples,
    load,
  },
  {
    name: 'thing turn',
    aliases: ['turn'],
    summary: 'Turn a thing',
    arguments: [
      { form: '<id>', summary: 'Which' },
      { form: '<way>', summary: 'Where to', choices: ['left', 'right'] },
    ],
    examples,
    load,
  },
  { name: 'thing list', summary: 'List things', examples, load },
];

const scanners = ['bandit', 'secrets', 'sector'];

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

// zsh's own completion functions need a screen to show the words; these replacements print them.
const zsh: Complete = (script, words) =>
  linesOf('zsh', [
    '-f',
    '-c',
    `compdef() { : }; compset() { : }; compadd() { shift; print -rl -- $@ }
    _files() { print -rl -- \${typed[CURRENT]##*[,=]}*(N) }
    _describe() { local entry; for entry in "\${(@P)2}"; do print -r -- "\${entry%%:*}"; done }
    ${script.replaceAll('words[', 'typed[')}
    typed=("$@"); CURRENT=$#typed; _svc`,
    'zsh',
    ...words,
  ]).filter((word) => word.startsWith(words.at(-1)?.split(/[,=]/).at(-1) ?? ''));

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
      ['help', 'plain', 'thing', 'turn'],
    ],
    [['svc', 'th'], ['thing']],
    [
      ['svc', 'thing', ''],
      ['add', 'list', 'turn'],
    ],
    [['svc', 'help', 'thing', 'li'], ['list']],
    [['svc', 'thing', 'turn', ''], []],
    [
      ['svc', 'thing', 'turn', 'T-1', ''],
      ['left', 'right'],
    ],
    [['svc', 'turn', 'T-1', 'ri'], ['right']],
    [['svc', 'thing', 'turn', 'T-1', 'left', ''], []],
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
    [['svc', 'thing', 'add', '--file', 'completion.te'], ['completion.test.ts']],
    [['svc', 'thing', 'add', '--name', ''], []],
    [
      ['svc', 'thing', 'add', '--name', 'x', 'l'],
      ['large', 'little'],
    ],
    [
      ['svc', 'thing', 'add', '--only', 'sec'],
      ['secrets', 'sector'],
    ],
    [['svc', 'thing', 'add', '--only', 'bandit', 'sect'], ['sector']],
    [['svc', 'thing', 'add', '--only', 'bandit', '--jso'], ['--json']],
  ])('offers after %j: %j', (words, expected) => {
    expect(complete(scriptOf(placesOf(sample, scanners)), words).toSorted()).toEqual(expected);
  });

  // zsh itself adds the text before the comma to each completion.
  const whole = (word: string, before: string) => (shell === 'zsh' ? word : `${before}${word}`);

  test.skipIf(!isHere(shell))('continues after a comma with another value of a list', () => {
    const script = scriptOf(placesOf(sample, scanners));
    expect(complete(script, ['svc', 'thing', 'add', '--only', 'bandit,sect'])).toEqual([
      whole('sector', 'bandit,'),
    ]);
    expect(complete(script, ['svc', 'thing', 'add', '--log', 'zsh.ts,completion.te'])).toEqual([
      whole('completion.test.ts', 'zsh.ts,'),
    ]);
  });

  test.skipIf(!isHere(shell))('offers the values of an option that is given with an equals sign', () => {
    const script = scriptOf(placesOf(sample));
    // bash treats the equals sign as a word of its own.
    const words = shell === 'bash' ? ['--level', '=', 'hi'] : ['--level=hi'];
    expect(complete(script, ['svc', 'thing', 'add', ...words])).toEqual([
      shell === 'fish' ? '--level=high' : 'high',
    ]);
  });

  test.skipIf(!isHere(shell))('offers each command', { tags: 'repeated' }, () => {
    const script = scriptOf(placesOf(commands));
    for (const { name } of someOf(commands, 8)) {
      const words = name.split(' ');
      expect(complete(script, ['svc', ...words])).toContain(words.at(-1));
    }
  });
});

test('a command that is also a group is one context, with its own options, words and summary', () => {
  const own = { form: '--level <level>', summary: 'How much' };
  const places = placesOf([
    { name: 'walk', summary: 'Walk', options: [own], examples, load },
    { name: 'walk start', summary: 'Begin to walk', examples, load },
  ]);
  expect(places.map(({ path }) => path)).toEqual(['', 'help', 'help walk', 'walk', 'walk start']);
  expect(places[0]?.words).toEqual([
    { word: 'walk', summary: 'Walk' },
    { word: 'help', summary: 'Explain a command' },
  ]);
  expect(places[3]).toMatchObject({
    words: [{ word: 'start' }],
    options: [{ flags: ['--level'] }, {}, {}, {}, {}],
  });
});
