/**
 * What is done with the bytes of an upload: they are checked, then sealed. It needs no database and no clock, so it is done
 * in this process for small bodies and in a worker (body-worker.ts) for large ones.
 */
import type { Random } from '#platform/random';
import { bodyContext } from '#platform/report-keys';
import { seal } from '#platform/sealing';
import { checkBody, type BodyFacts, type BodyRefusal } from './body-check.ts';

export interface BodyTask {
  readonly bytes: Uint8Array;
  readonly reportId: string;
  readonly localReportId: string;
  readonly blobName: string;
  readonly key: Uint8Array;
}

export type BodyResult =
  | { readonly ok: true; readonly facts: BodyFacts; readonly sealed: readonly Uint8Array[] }
  | { readonly ok: false; readonly refusal: BodyRefusal };

export function checkAndSeal(task: BodyTask, random: Random): BodyResult {
  const outcome = checkBody(task.bytes, task.localReportId);
  if (!outcome.ok) return outcome;
  const sealed = seal(task.key, bodyContext(task.reportId, task.blobName), task.bytes, random);
  return { ok: true, facts: outcome.facts, sealed };
}
