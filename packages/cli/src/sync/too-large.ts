/** A report that exceeds the service's limit: how large it is, and which parts are the largest. */
import type { CanonicalReport } from '@svc/report';
import { CliError } from '../errors.ts';
import { sizeInWords } from '@svc/report/making/size-in-words';

const NAMED_MAX = 5;

/** A failure that no later sync can fix. */
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
    `The report is ${sizeInWords(bytes.byteLength)}, more than the service accepts.`,
    {
      code: 'BAD_REQUEST',
      requestId,
      details: [
        `${findings.length} findings; the snippets of their evidence take ${sizeInWords(snippets)}.`,
        `The largest: ${largest.map(({ id, sizeBytes }) => `${id} (${sizeInWords(sizeBytes)})`).join(', ')}.`,
      ],
      hint: `It stays on this machine: svc report show --report ${localReportId}. To send less, scan again with fewer scanners (--only). If the service raises its limit: svc sync --report ${localReportId}`,
    },
  );
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
