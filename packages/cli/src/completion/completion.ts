/** `svc completion` */
import type { Command, Run } from '../command.ts';
import { scannerNames } from '../scanners/index.ts';
import { bashScript } from './bash.ts';
import { fishScript } from './fish.ts';
import { placesOf } from './tree.ts';
import { zshScript } from './zsh.ts';

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript };

export function printScript(commands: readonly Command[]): Run {
  return ({ arguments: [shell] }, terminal) => {
    const script = scripts[shell as keyof typeof scripts](placesOf(commands, scannerNames));
    terminal.result({ shell, script }, () => script.trimEnd().split('\n'));
    return Promise.resolve();
  };
}
