/** The least that a server does with a report before it keeps it: digest, parser, and the compiled schema of reports. */
import { createHash } from 'node:crypto';
import { validatorOf } from '@svc/contract/validation';
import { CanonicalReport } from '@svc/report';

/** The digest in hex; null for what is no report. */
export function checkReport(bytes: Uint8Array<ArrayBuffer>): string | null {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer).toString());
  return validatorOf(CanonicalReport).Check(value) ? sha256 : null;
}
