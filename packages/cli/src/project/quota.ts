/** `svc quota` */
import type { Quota, QuotaWindow } from '@svc/contract';
import type { Run } from '../command.ts';
import { connect } from '../connection/connect.ts';
import type { Colours } from '../terminal/colours.ts';
import { localTime } from '../terminal/local-time.ts';
import { projectOf } from './project.ts';
import { FOREIGN_BINDING, hasForeignBinding } from './standing.ts';
import { chosenWorkspace } from './workspaces.ts';

export const run: Run = async (invocation, terminal) => {
  const { options } = invocation;
  const connection = await connect(invocation);
  const wanted = options['workspace'];
  const workspaceId =
    typeof wanted === 'string'
      ? (await chosenWorkspace(connection, wanted)).workspaceId
      : (await projectOf(invocation, connection))?.workspaceId;
  if (workspaceId === undefined && (await hasForeignBinding(invocation.folder, invocation.environment)))
    terminal.note(FOREIGN_BINDING);
  const { body } = await connection.call(
    'getSyncQuota',
    workspaceId === undefined ? {} : { query: { workspaceId } },
  );
  const value = workspaceId === undefined ? body : { ...body, workspaceId };
  terminal.result(value, () => lines(body, terminal.colours));
};

function lines(quota: Quota, colours: Colours): string[] {
  const { bold, green, yellow } = colours;
  return [
    `Plan    ${bold(quota.plan)}; reports are kept for ${quota.retentionDays} days`,
    windowLine('Today', quota.daily, colours),
    windowLine('Week', quota.weekly, colours),
    quota.eligible
      ? green('Reports can be synced.')
      : yellow(`No report can be synced before the ${quota.blockedBy ?? 'daily'} quota resets.`),
  ];
}

function windowLine(label: string, { used, limit, resetsAt }: QuotaWindow, { dim }: Colours): string {
  return `${label.padEnd(7)} ${used} of ${limit} used ${dim(`(resets ${localTime(resetsAt)})`)}`;
}
