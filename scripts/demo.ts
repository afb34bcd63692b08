// `npm run demo`: the main journey of a newcomer. Starts the service on a temporary folder, creates an account, links
// the built CLI to it, scans a copy of this repository together with the results of an invented scanner, exports
// and shares the report, and prints what to open. Runs until it is interrupted, then deletes everything. With `--once`
// it exits after it has checked that everything can be read.
//
// It touches nothing outside its folder: not the working copy, not the person's configuration, not a keyring.
import * as fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { comeAsNewcomer } from './demo/newcomer.ts';
import { startService } from './demo/service.ts';

const isOnce = process.argv.includes('--once');

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.on(signal, () => interrupted.abort());
}

const folder = await fs.realpath(await fs.mkdtemp(path.join(os.tmpdir(), 'svc-demo-')));
try {
  await using service = await startService(path.join(folder, 'data'), interrupted.signal);
  const shown = await show(service.url);
  console.log(shown);
  if (!isOnce) {
    const code = await Promise.race([service.ended, aborted(interrupted.signal)]);
    if (!interrupted.signal.aborted) throw new Error(`The service has ended with code ${String(code)}.`);
  }
} catch (error) {
  // An interrupt is not an error.
  if (!interrupted.signal.aborted) {
    console.error(error instanceof Error ? error.message : error);
    process.exitCode = 1;
  } else if (isOnce) process.exitCode = 130;
} finally {
  await fs.rm(folder, { recursive: true, force: true });
}

/** Runs the journey of a newcomer. Returns the lines to print. */
async function show(url: string): Promise<string> {
  const { person, svc, repository, reportUrl, sharedUrl } = await comeAsNewcomer(
    url,
    folder,
    interrupted.signal,
  );
  return `
  The demo is running.

  First page   ${url}/
  The report   ${reportUrl}
  As a file    ${path.join(repository, 'report.html')}
  For others   ${sharedUrl}
               (opens without an account, and shows neither names nor code)
  Email        ${person.email}
  Password     ${person.password}

  To use the linked CLI, in another terminal:

${svc.setUp.map((line) => `    ${line}`).join('\n')}
    svc scan .

  ${isOnce ? 'All checks passed.' : 'Stop it with Ctrl+C; this deletes all its data.'}
`;
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
