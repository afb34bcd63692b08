/**
 * A process that takes the lease of a report, reports that, and runs until it is ended. Arguments: the data folder and the
 * report.
 */
import { claim } from '../src/store/leases.ts';
import { openStore } from '../src/store/store.ts';

const [folder = '', localReportId = ''] = process.argv.slice(2);
const store = await openStore(folder);
process.stdout.write(claim(store, localReportId, Date.now()) === undefined ? 'rejected\n' : 'held\n');
process.stdin.resume();
