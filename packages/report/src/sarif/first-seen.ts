/** When a result was first seen, from the log: ISO 8601 with any offset, returned in UTC. */
import { isTime } from '@svc/contract';
import { fields, text, type Fields } from './parts.ts';

/** Undefined where the log has no valid time. */
export function firstSeenAtOf(result: Fields): string | undefined {
  const given = text(fields(result['provenance'])['firstDetectionTimeUtc']);
  if (given === undefined || !/^\d{4}-\d\d-\d\dT/.test(given)) return undefined;
  const time = Date.parse(given);
  if (Number.isNaN(time)) return undefined;
  const utc = new Date(time).toISOString();
  return isTime(utc) ? utc : undefined;
}
