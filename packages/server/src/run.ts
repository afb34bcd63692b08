/** Starts and stops the service. A reason why it cannot start is printed in one line, and nothing stays half open. */
import { readConfig, type Config, type Environment } from './config.ts';
import { compose, type Service } from './compose.ts';
import type { PendingSetup } from '#features/auth';
import { describeError } from '#platform/log';
import { letYoungSpaceGrow } from '#platform/young-space';
import { StartError } from '#start-error';
import { startAdvice } from './start-advice.ts';
import { stopService } from './stop.ts';
import { version } from './version.ts';

/** Signals this close together come from one keystroke. */
const SAME_KEYSTROKE_MS = 500;

export async function run(environment: Environment): Promise<void> {
  // Only the owner can access files in the data folder.
  process.umask(0o077);
  let service: Service;
  let config: Config;
  try {
    config = readConfig(environment);
    service = await compose(config);
    stopOnSignals(service, config.drainMs);
    await listen(service, config.host, config.port);
    letYoungSpaceGrow();
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    for (const line of error.lines) process.stderr.write(`svc cannot start. ${line}\n`);
    process.exitCode = 1;
    return;
  }
  announce(service, config);
  await advise(service, config);
}

async function advise({ database, log }: Service, config: Config): Promise<void> {
  try {
    for (const line of await startAdvice(config, database.read)) log.warn(line);
  } catch (error) {
    // The service runs. What could not be checked is reported when it is needed.
    log.error('configuration check failed', { error: describeError(error) });
  }
}

async function listen(service: Service, host: string, port: number): Promise<void> {
  try {
    await service.http.listen(host, port);
  } catch (error) {
    await service.close(0);
    const { code } = error as { code?: string };
    if (code === 'EADDRINUSE') {
      throw new StartError(
        `PORT: ${port} is in use by another program. Stop that one, or set PORT to a free port.`,
        { cause: error },
      );
    }
    if (code === 'EACCES') {
      throw new StartError(
        `PORT: ${port} needs privileges that this user does not have. Set PORT to one above 1023.`,
        {
          cause: error,
        },
      );
    }
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
      throw new StartError(
        `HOST: ${JSON.stringify(host)} is not an address of this machine. Set HOST to one, such as 127.0.0.1.`,
        { cause: error },
      );
    }
    throw error;
  }
}

function announce({ appBaseUrl, dataDir, pendingSetup, log }: Service, { host, port }: Config): void {
  const next = `open ${appBaseUrl} and create an account`;
  const setup = pendingSetup && setupNotice(pendingSetup, appBaseUrl);
  const setupLine = setup === null ? '' : `\n  ${setup}\n`;
  if (process.stdout.isTTY) {
    process.stdout.write(
      `\n  svc is running\n\n  Address      ${appBaseUrl}\n  Data folder  ${dataDir}\n  Next         ${next}\n${setupLine}\n  Stop it with Ctrl+C.\n\n`,
    );
  } else {
    log.info('listening', { version, host, port, address: appBaseUrl, dataDir, next });
    if (setup !== null)
      log.info(setup, pendingSetup?.file ? { setupTokenFile: pendingSetup.file } : undefined);
  }
}

/** The notice names the file, but neither the token nor the administrator's address. */
function setupNotice({ file }: PendingSetup, appBaseUrl: string): string {
  const token = file === null ? 'SVC_SETUP_TOKEN' : `the setup token in ${file}`;
  return `The administrator has no account yet: sign up at ${appBaseUrl}/signup?setup with ${token}.`;
}

function stopOnSignals(service: Service, drainMs: number): void {
  let stoppingSince: number | undefined;
  const stop = (signal: NodeJS.Signals) => {
    if (stoppingSince !== undefined) {
      // Under npm, Ctrl+C in a terminal reaches the process twice. Only a later signal means that it must stop
      // immediately.
      if (Date.now() - stoppingSince > SAME_KEYSTROKE_MS) process.exit(130);
      return;
    }
    stoppingSince = Date.now();
    service.log.info('stopping', { signal });
    void finish(service, signal === 'SIGTERM' ? drainMs : 0);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

async function finish(service: Service, drainMs: number): Promise<void> {
  await stopService(service, drainMs);
  process.exit(0);
}
