/**
 * Reads an acceptable report finding by finding. Each finding is checked as soon as it is parsed, and only what the
 * service records of it is kept. A whole report in memory takes several times its size, and collecting that garbage
 * would take longer than the check.
 */
import { Finding } from '@svc/contract';
import { validatorOf } from '@svc/contract/validation';
import { inconsistencies, recordedFinding, ReportFrame, type RecordedReport } from '@svc/report';
import { documentInPieces } from '#platform/json-pieces';
import type { JsonShape } from '#platform/json-shape';
import { namesIn } from './json-names.ts';

/**
 * The recorded part of a report that is valid and consistent. Null for any other document: only parsing it as a whole
 * shows what is wrong with it.
 *
 * @throws SyntaxError when the bytes are not JSON in UTF-8.
 */
export function recordedReportIn(bytes: Uint8Array, { pieces, names }: JsonShape): RecordedReport | null {
  const { frame, itemsOf } = documentInPieces(bytes, pieces);
  if (typeof frame !== 'object' || frame === null) return null;
  const validator = validatorOf(Finding);
  let known = namesIn(frame);
  for (const [name, list] of Object.entries(frame)) {
    if (!Array.isArray(list)) continue;
    for (const item of itemsOf(list.splice(0))) {
      known += namesIn(item);
      if (name !== 'findings') list.push(item);
      else if (validator.Check(item)) list.push(recordedFinding(item as Finding));
      else return null;
    }
  }
  if (known !== names || !validatorOf(ReportFrame).Check(frame)) return null;
  const report = frame as RecordedReport;
  return inconsistencies(report).length === 0 ? report : null;
}
