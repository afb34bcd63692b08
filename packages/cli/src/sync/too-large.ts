/** A report that is larger than the service takes: how large, and what of it takes the room. */
import type { CanonicalReport } from '@svc/report';
import { CliError } from '../errors.ts';

const KIB = 2 ** 10;
const MIB = 2 ** 20;
const NAMED_MAX = 5;

/** No later sync can mend it. */
export class TooLargeError extends CliError {}

export function tooLarge(bytes: Uint8Array, localReportId: string, requestId: string): TooLargeError {
  const { findings } = JSON.parse(Buffer.from(bytes).toString()) as CanonicalReport;
  const largest = findings
    .map((finding) => ({ id: finding.id, sizeBytes: sizeOf(finding) }))
    .toSorted((one, other) => other.sizeBytes - one.sizeBytes)
    .slice(0, NAMED_MAX);
  const evidence = findings.flatMap((finding) => [...finding.evidence, ...(finding.corroboration ?? [])]);
  const snippets = evidence.reduce((sum, { snippet = '' }) => sum + Buffer.byteLength(snippet), 0);
  return new TooLargeError(
    'failed',
    `The report has ${inWords(bytes.byteLength)}: more than the service takes.`,
    {
      code: 'BAD_REQUEST',
      requestId,
      details: [
        `${findings.length} findings; the snippets of their evidence take ${inWords(snippets)}.`,
        `The largest: ${largest.map(({ id, sizeBytes }) => `${id} (${inWords(sizeBytes)})`).join(', ')}.`,
      ],
      hint: `It stays on this machine: svc report show --report ${localReportId}. To send less, scan anew with fewer scanners (--only) or without results that carry whole files. Should the service take more one day: svc sync --report ${localReportId}`,
    },
  );
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function inWords(sizeBytes: number): string {
  if (sizeBytes < MIB) return `${Math.ceil(sizeBytes / KIB)} KiB`;
  return `${(sizeBytes / MIB).toFixed(1)} MiB`;
}
