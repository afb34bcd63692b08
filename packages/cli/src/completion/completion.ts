/** `svc completion` */
import type { Run } from '../command.ts';
import { commands } from '../commands/index.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { placesOf } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export const run: Run = ({ arguments: [shell] }, terminal) => {
  const script = scripts[shell as keyof typeof scripts](placesOf(commands));
  terminal.result({ shell, script }, () => script.trimEnd().split('\n'));
  return Promise.resolve();
};
