/** `svc version` */
import type { Run } from './command.ts';
import { version } from './version.ts';

export const run: Run = (_invocation, terminal) => {
  terminal.result({ version }, () => [`svc ${version}`]);
  return Promise.resolve();
};
