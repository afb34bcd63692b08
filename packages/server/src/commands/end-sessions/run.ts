/** `end-sessions`: ends sessions and devices in the database of a service that may be running. */
import { createAudit } from '#features/audit';
import { createSessionEnding } from '#features/auth';
import { createDeviceService } from '#features/devices';
import type { Bus } from '#platform/bus/bus';
import { systemClock } from '#platform/clock';
import type { Database } from '#platform/database/database';
import { createIds } from '#platform/ids';
import { createLog } from '#platform/log';
import { systemRandom } from '#platform/random';
import { StartError } from '#start-error';
import { openBus } from '../../adapters.ts';
import { readConfig } from '../../config.ts';
import { accountNameIn, requireAccountId } from '../accounts.ts';
import { openToChange } from '../databases.ts';
import type { CommandResult, Invocation } from '../frame/command.ts';

export async function run(invocation: Invocation): Promise<CommandResult> {
  const { options, environment, signal, report, confirm } = invocation;
  const name = accountNameIn(options);
  const isAll = options['all'] === true;
  if ((name !== null) === isAll)
    throw new StartError('Name one account with --email or --user-id, or all of them with --all.');
  const withDevices = options['devices'] === true;
  const config = readConfig(environment);
  const database = await openToChange(config);
  try {
    const bus = await openBus(config, database, createLog('error'));
    try {
      const ending = endingOf(database, bus);
      const accounts =
        name === null
          ? await ending.listAccounts(withDevices)
          : [await requireAccountId(database.read, name)];
      if (isAll && options['yes'] !== true && !(await confirm(questionOf(accounts.length, withDevices))))
        return resultOf({ sessions: 0, devices: 0, accounts: 0 }, accounts.length, withDevices);
      const ended = { sessions: 0, devices: 0, accounts: 0 };
      for (const userId of accounts) {
        if (signal.aborted) break;
        report('Ending sessions of accounts', ended.accounts, accounts.length);
        const { sessions, devices } = await ending.endAll(userId, withDevices);
        ended.sessions += sessions;
        ended.devices += devices;
        ended.accounts += 1;
      }
      return resultOf(ended, accounts.length, withDevices);
    } finally {
      await bus.close();
    }
  } finally {
    await database.close();
  }
}

function endingOf(database: Database, bus: Bus) {
  const clock = systemClock;
  const audit = createAudit({ database, clock, ids: createIds(clock, systemRandom) });
  const devices = createDeviceService({ database, bus, clock, audit });
  return createSessionEnding({
    database,
    bus,
    revokeDevices: (tx, userId) => devices.revokeAll(tx, userId, null),
  });
}

function questionOf(accounts: number, withDevices: boolean): string {
  return `End all sessions${withDevices ? ' and revoke all devices' : ''} of ${counted(accounts, 'account')}?`;
}

interface Ended {
  readonly sessions: number;
  readonly devices: number;
  readonly accounts: number;
}

function resultOf(ended: Ended, wanted: number, withDevices: boolean): CommandResult {
  const { sessions, devices, accounts } = ended;
  const done = `Ended ${counted(sessions, 'session')}${withDevices ? ` and revoked ${counted(devices, 'device')}` : ''} of ${counted(accounts, 'account')}.`;
  const left = wanted - accounts;
  return {
    exitCode: left === 0 ? 0 : 1,
    lines: left === 0 ? [done] : [done, `${counted(left, 'account')} left: run the command again.`],
    value: { ...ended, left },
  };
}

const counted = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`;
