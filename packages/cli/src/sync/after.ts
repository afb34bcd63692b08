/**
 * What the service learns when a person or an agent begins, ends or gives up a scan by hand. Called after the step is on
 * the disk, so that nothing here can undo it; each gives back what is then known of the report in the service.
 */
import type { Invocation } from '../command.ts';
import type { LocalReport, SyncState } from '../store/local-report.ts';
import type { Store } from '../store/store.ts';
import type { Terminal } from '../terminal/terminal.ts';

export interface AfterContext {
  readonly store: Store;
  readonly invocation: Invocation;
  readonly terminal: Terminal;
}

export type After = (report: LocalReport, context: AfterContext) => Promise<SyncState>;

/** Reports stay on this machine. */
const keptHere: After = ({ sync }) => Promise.resolve(sync);

export const afterStart: After = keptHere;
export const afterFinish: After = keptHere;
export const afterAbort: After = keptHere;
