/** Exports everything that the database holds about one account, for the person whose data it is. Only reads. */
export { exportAccount, type ExportedReport, type MessageOpener } from './service.ts';
