/** `svc open`: opens the page of a report. */
import type { Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { hasBrowser, openPage } from '../login/browser.ts';
import { anyReport, withStore } from '../report/picked.ts';
import { listReports } from '../store/reports.ts';
import { safeLine } from '../terminal/safe-text.ts';

export const run: Run = async (invocation, terminal) => {
  const { options, environment } = invocation;
  const { localReportId, reportId, reportUrl } = await withStore(invocation, async (store) => {
    const { repositoryRoot, ...picked } = await anyReport(store, invocation);
    // If the newest report is only local, opens the newest one that has a page on the service.
    const candidates =
      typeof options['report'] === 'string' ? [picked] : listReports(store, { repositoryRoot });
    const found = candidates.find(({ sync }) => sync.reportUrl !== undefined) ?? picked;
    return { localReportId: found.localReportId, ...found.sync };
  });
  if (reportUrl === undefined || reportId === undefined) {
    throw new CliError('failed', 'The report is on this machine only.', {
      hint: `svc sync --report ${localReportId} sends it; svc report show --report ${localReportId} shows it here.`,
    });
  }
  const mayOpen = options['browser'] !== false && !terminal.isJson && hasBrowser(environment);
  const opened = mayOpen && (await openPage(reportUrl, environment));
  terminal.result({ localReportId, reportId, reportUrl, opened }, () => [safeLine(reportUrl)]);
};
