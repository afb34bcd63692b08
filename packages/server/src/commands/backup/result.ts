/** What `backup` and `backup verify` print. */
import type { Head } from '#features/audit';
import type { BackupContents } from '../../backup.ts';
import type { CommandResult } from '../frame/command.ts';

const FAULTS_SHOWN = 20;

export function resultOf(contents: BackupContents, place: string, isThere: boolean): CommandResult {
  const { bodies, databaseBytes, faults, holdsKey, auditHead, deletedMeanwhile } = contents;
  const value = { folder: place, isThere: isThere || faults.length === 0, ...valueOf(contents) };
  if (faults.length > 0) {
    const shown = faults.slice(0, FAULTS_SHOWN).map((fault) => `- ${fault}`);
    const more = faults.length - shown.length;
    return {
      exitCode: 1,
      lines: [
        isThere
          ? `The backup ${place} has faults:`
          : `No backup was created, because the data of the service has faults:`,
        ...shown,
        ...(more > 0 ? [`and ${more} more.`] : []),
        ...(isThere ? [] : ['Use --even-with-faults to create it anyway.']),
      ],
      value,
    };
  }
  return {
    exitCode: 0,
    lines: [
      `The backup ${place} is complete: the database (${inWords(databaseBytes)}), ${bodies.count} report ${bodies.count === 1 ? 'body' : 'bodies'} (${inWords(bodies.sizeBytes)})${holdsKey ? ' and the master key' : ''}.`,
      holdsKey
        ? 'Anyone who has it can read every report in it.'
        : 'It does not contain the master key, which is in SVC_MASTER_KEY. Keep the key elsewhere: no report can be read without it.',
      ...(auditHead === null || auditHead.sequence === 0
        ? ['Its audit log is empty.']
        : [`Its audit log ends with ${headInWords(auditHead)}`]),
      ...(deletedMeanwhile === 0
        ? []
        : [`Reports left out because they were deleted during the backup: ${deletedMeanwhile}.`]),
    ],
    value,
  };
}

function inWords(bytes: number): string {
  const kib = bytes / 1024;
  return kib < 1024 ? `${Math.ceil(kib)} KiB` : `${(kib / 1024).toFixed(1)} MiB`;
}

function valueOf({ databaseBytes, bodies, holdsKey, auditHead, deletedMeanwhile, faults }: BackupContents) {
  return {
    databaseBytes,
    bodies,
    holdsKey,
    auditHead: auditHead === null || auditHead.sequence === 0 ? null : headInWords(auditHead),
    deletedMeanwhile,
    faults,
  };
}

const headInWords = ({ sequence, hash }: Head) => `${sequence}:${Buffer.from(hash).toString('hex')}`;
