/** Why a log cannot be imported, in the words of the CLI and of the pages. Reveals nothing of the log. */
import type { ByteSource, SarifError } from '../sarif/document.ts';
import { jsonFaultIn } from './json-fault.ts';

export interface RejectedLog {
  readonly message: string;
  /** Where the log stops being JSON, if that is the reason. */
  readonly details: readonly string[];
  /** The reason, and what to do. */
  readonly hint: string;
}

/** In a larger log, the position of the fault would not help. */
const LOOKED_THROUGH_BYTES_MAX = 64 * 1024 * 1024;

/** @param shown the file's name, without secrets */
export function rejectedLog(shown: string, { message: hint }: SarifError, log: ByteSource): RejectedLog {
  const fault = log.length > LOOKED_THROUGH_BYTES_MAX ? undefined : jsonFaultIn(log.read(0, log.length));
  return { message: `${shown} cannot be imported.`, details: fault === undefined ? [] : [fault], hint };
}
