/**
 * A process that adds findings to a report. It reads a line of JSON for each submission, and writes a line with the id
 * of the finding once that is stored. Arguments: the data folder and the report.
 */
import { createInterface } from 'node:readline';
import { addSubmission } from '../src/report/intake.ts';
import { openStore } from '../src/store/store.ts';
import { AT } from './local-reports.ts';

const [folder = '', localReportId = ''] = process.argv.slice(2);
const store = await openStore(folder);
for await (const line of createInterface({ input: process.stdin })) {
  const { findingId } = addSubmission(store, localReportId, JSON.parse(line), AT);
  process.stdout.write(`${findingId}\n`);
}
