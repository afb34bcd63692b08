/**
 * The messages of shares, each sealed under the key of its report, so that it becomes unreadable with the report.
 *
 * An upload gives a live report a new key, and replacing an upload destroys its key. In both cases, messages are sealed
 * again in the same transaction. A message that no key opens, for instance after a restore without the report's body,
 * is treated as absent.
 */
import { secretPaths } from '@svc/report';
import { AppError } from '#app-error';
import { updateReport, type ReportRow } from '#features/reports';
import type { Tx } from '#platform/database/database';
import { strictUtf8 } from '#platform/encoding';
import type { Random } from '#platform/random';
import type { ReportKeys } from '#platform/report-keys';
import { seal, SealBrokenError, unseal } from '#platform/sealing';
import * as store from './store.ts';

type ReportKey = Pick<ReportRow, 'id' | 'wrappedKey'>;

export interface ShareMessages {
  /** Seals a message of a locked report; creates the key of a report that has none yet. Null for an empty message. */
  seal(tx: Tx, report: ReportKey, shareId: string, message: string): Promise<Uint8Array | null>;
  open(report: ReportKey, shareId: string, sealed: Uint8Array | null): string | null;
  /**
   * Seals the messages of a locked report under its next key, before the report gets that key.
   * @returns whether there are any messages.
   */
  moveTo(tx: Tx, report: ReportKey, key: Uint8Array): Promise<boolean>;
}

export interface ShareMessagePorts {
  readonly random: Random;
  readonly reportKeys: ReportKeys;
}

const contextOf = (reportId: string, shareId: string) => ['share message', reportId, shareId];

/** Null without a message, and when no key opens it. */
export function openShareMessage(
  keys: Pick<ReportKeys, 'unwrap'>,
  { id, wrappedKey }: ReportKey,
  shareId: string,
  sealed: Uint8Array | null,
): string | null {
  if (sealed === null || wrappedKey === null) return null;
  try {
    return strictUtf8(unseal(keys.unwrap(id, wrappedKey), contextOf(id, shareId), sealed));
  } catch (error) {
    if (error instanceof SealBrokenError) return null;
    throw error;
  }
}

export function createShareMessages({ random, reportKeys }: ShareMessagePorts): ShareMessages {
  function sealUnder(key: Uint8Array, reportId: string, shareId: string, message: string): Uint8Array {
    return Buffer.concat(seal(key, contextOf(reportId, shareId), Buffer.from(message), random));
  }

  function open(report: ReportKey, shareId: string, sealed: Uint8Array | null): string | null {
    return openShareMessage(reportKeys, report, shareId, sealed);
  }

  return {
    open,
    async seal(tx, { id, wrappedKey }, shareId, message) {
      if (message === '') return null;
      if (wrappedKey !== null) return sealUnder(reportKeys.unwrap(id, wrappedKey), id, shareId, message);
      const key = reportKeys.make();
      await updateReport(tx, id, { wrappedKey: await reportKeys.wrap(tx, id, key) });
      return sealUnder(key, id, shareId, message);
    },
    async moveTo(tx, report, key) {
      const sealed = await store.listMessages(tx, report.id);
      for (const { id, message } of sealed) {
        const text = open(report, id, message);
        await store.updateShare(tx, id, {
          message: text === null ? null : sealUnder(key, report.id, id, text),
        });
      }
      return sealed.length > 0;
    },
  };
}

/** @throws AppError UNSAFE_PAYLOAD_REJECTED with the path of the message. */
export function rejectSecrets({ message }: { readonly message?: string | null | undefined }): void {
  if (typeof message !== 'string') return;
  const paths = secretPaths({ message });
  if (paths.length === 0) return;
  const issues = paths.map((path) => ({ path, message: 'contains a secret', rule: 'secret' as const }));
  throw new AppError('UNSAFE_PAYLOAD_REJECTED', { details: { issues } });
}
