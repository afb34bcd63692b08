/**
 * Before a scan: aborts earlier scans of the same repository whose process died. At a terminal, it asks first unless
 * `--yes` was given.
 */
import type { Invocation } from '../command.ts';
import { giveBackInTime } from '../sync/after.ts';
import type { Store } from '../store/store.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { cutOffScans, giveUpCutOff } from './cut-off.ts';

export async function offerCleanUp(
  store: Store,
  invocation: Invocation,
  terminal: Terminal,
  repositoryRoot: string,
): Promise<void> {
  const found = cutOffScans(store, repositoryRoot);
  if (found.length === 0) return;
  const sentence =
    found.length === 1
      ? 'An earlier scan of this repository was cut off.'
      : `${found.length} earlier scans of this repository were cut off.`;
  const mustAsk = terminal.isInteractive && invocation.options['yes'] !== true;
  if (mustAsk && !(await terminal.ask.confirm(`${sentence} Abort and clean up?`, true))) return;
  terminal.note(`${sentence} Aborted; the findings stay on this machine.`);
  for (const { localReportId } of found) {
    if (giveUpCutOff(store, localReportId) === undefined) continue;
    const failure = await giveBackInTime({ store, invocation, terminal }, localReportId, invocation.signal);
    if (failure) return terminal.warn(`${failure.message} Release its quota unit with: svc sync`);
  }
}
