/**
 * Exports what the database holds about one account, without keys and hashes, for the person whose data it is. Only
 * reads.
 */
export { exportAccount, type ExportedReport, type MessageOpener } from './service.ts';
