/** The minimum work before storing a report: hash, parse, and check with the compiled schema. */
import { createHash } from 'node:crypto';
import { validatorOf } from '@svc/contract/validation';
import { CanonicalReport } from '@svc/report';

/** The hash in hex; null if the JSON does not match the schema. */
export function checkReport(bytes: Uint8Array<ArrayBuffer>): string | null {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const value: unknown = JSON.parse(Buffer.from(bytes.buffer).toString());
  return validatorOf(CanonicalReport).Check(value) ? sha256 : null;
}
