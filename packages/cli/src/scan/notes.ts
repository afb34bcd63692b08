/**
 * The notes that an agent gives at the end of a scan about what it scanned: a closed JSON object, cleaned like all input.
 */
import { closed } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { CanonicalReport, redactDeep, redactPointer } from '@svc/report';
import { CliError } from '../errors.ts';
import type { ScanNotes } from '../report/finish.ts';
import type { JsonInput } from '../report/json-input.ts';

const { coverage, coverageAreas, limitations } = CanonicalReport.properties;
const Notes = closed({ coverage, coverageAreas, limitations });
const nothing: Required<ScanNotes> = { coverage: [], coverageAreas: [], limitations: [] };

export interface CleanNotes {
  readonly notes: ScanNotes;
  readonly redactions: number;
}

/**
 * All fields are optional.
 * @throws CliError `rejected` with all issues.
 */
export function notesOf(input: JsonInput): CleanNotes {
  if (!input.isJson) throw rejected([`/: is ${input.reason}`]);
  const { value: given } = input;
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw rejected(['/: must be an object']);
  const whole = { ...nothing, ...given };
  const issues = issuesOf(validatorOf(Notes), whole);
  if (issues.length > 0)
    throw rejected(issues.map(({ path, message }) => `${redactPointer(path) || '/'}: ${message}`));
  const { value: notes, count: redactions } = redactDeep(whole);
  return { notes, redactions };
}

function rejected(details: readonly string[]): CliError {
  return new CliError('rejected', 'The notes are not valid. The scan continues.', { details });
}
