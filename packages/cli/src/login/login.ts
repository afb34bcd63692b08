/**
 * `svc login`: links this machine to an account. Nothing is stored before the person has approved. After that either
 * everything is stored, or the new credential is revoked.
 */
import { createHash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { choiceOf } from '../analytics/choice.ts';
import { removeAll } from '../analytics/spool.ts';
import { spoolFolder } from '../analytics/usage.ts';
import type { Invocation, Run } from '../command.ts';
import { noteAnswer } from '../connection/reached-service.ts';
import { connectTo, heldCredential, type Connection } from '../connection/connect.ts';
import { rememberOrigin } from '../connection/origin.ts';
import { CliError } from '../errors.ts';
import { foldersOf } from '../folders.ts';
import { openCredentials } from '../keystore/open-keystore.ts';
import { safeLine } from '../terminal/safe-text.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { exchange, untilApproved } from './approval.ts';
import { hasBrowser, openPage } from './browser.ts';
import { matchCode } from './match-code.ts';

const VERIFIER_BYTES = 32;
const PLATFORM_NAMES: Readonly<Record<string, string>> = { darwin: 'macos', win32: 'windows' };

export const run: Run = async (invocation, terminal) => {
  const { environment, clock, retries, signal } = invocation;
  const { origin, credential } = await heldCredential(environment);
  if (credential?.source === 'SVC_DEVICE_TOKEN') {
    throw new CliError('usage', 'SVC_DEVICE_TOKEN is set, and would override the credential of svc login.', {
      hint: 'Unset it, and run svc login again.',
    });
  }
  const { config } = foldersOf(environment);
  // Opened now, so that an invalid keystore is reported before anyone approves.
  const credentials = openCredentials(environment, config);
  const previous = credential?.token ?? null;
  if (previous !== null && !(await wantsAnotherLink(invocation, origin, previous, terminal))) return;

  const connection = connectTo(origin, null, invocation);
  const verifier = randomBytes(VERIFIER_BYTES).toString('base64url');
  const link = await beginLink(connection, verifier, invocation, terminal);
  const progress = terminal.progress('Waiting for approval in the browser');
  try {
    await untilApproved(connection, link, signal, clock);
  } catch (error) {
    progress.fail('Not linked');
    throw error;
  }
  const uninterrupted = { clock, retries, signal: new AbortController().signal };
  const linked = await exchange(connectTo(origin, null, uninterrupted), link, verifier);
  const fresh = connectTo(origin, linked.deviceToken, uninterrupted);
  let keptIn: 'system' | 'file';
  try {
    if (signal.aborted) throw new CliError('interrupted', 'Interrupted; nothing was linked.');
    // Earlier events belong to another account, or to a time before the person was informed that usage is counted.
    await removeAll(spoolFolder(environment));
    keptIn = await credentials.write(origin, linked.deviceToken);
    await rememberOrigin(config, origin).catch(async (error: unknown) => {
      await (previous === null ? credentials.remove(origin) : credentials.write(origin, previous));
      throw error;
    });
  } catch (error) {
    progress.fail('Not linked');
    await giveUp(fresh);
    throw error;
  }
  const { deviceId, deviceName, userId, email } = linked;
  invocation.happened('cli_linked');
  if (previous !== null) await giveUp(connectTo(origin, previous, uninterrupted));
  progress.succeed('Approved');
  const value = { linked: true, service: origin, email, userId, deviceId, deviceName, keptIn };
  const { green, bold, dim } = terminal.colours;
  terminal.result(value, () => [
    `${green('✓')} Linked to ${bold(safeLine(email))} on ${origin}`,
    dim(
      keptIn === 'system'
        ? 'The credential is in the system keyring.'
        : 'The credential is in a file that only you can read.',
    ),
  ]);
  if ((await choiceOf(environment)).isOn)
    terminal.note('Usage is counted without names. To turn that off: svc analytics off');
  noteAnswer(fresh);
};

/** @returns false when the machine stays linked as it is; the result is then already printed. */
async function wantsAnotherLink(
  invocation: Invocation,
  origin: string,
  token: string,
  terminal: Terminal,
): Promise<boolean> {
  if (invocation.options['force'] === true) return true;
  const connection = connectTo(origin, token, invocation);
  const current = await connection.attempt('getCurrentDevice');
  if (!current.ok) {
    if (current.error.code === 'UNAUTHENTICATED' || current.error.code === 'DEVICE_REVOKED') return true;
    await connection.call('getCurrentDevice');
    return true;
  }
  const { user, device } = current.body;
  const sentence = `This machine is already linked to ${safeLine(user.email)} on ${origin}`;
  if (terminal.isInteractive && (await terminal.ask.confirm(`${sentence}. Link it again?`, false)))
    return true;
  const value = {
    linked: true,
    service: origin,
    email: user.email,
    userId: user.userId,
    deviceId: device.deviceId,
    deviceName: device.deviceName,
  };
  terminal.result(value, () => [`${terminal.colours.green('✓')} ${sentence}.`]);
  if (!terminal.isInteractive) terminal.note('To link it again: svc login --force');
  return false;
}

async function beginLink(
  connection: Connection,
  verifier: string,
  { environment, options }: Invocation,
  terminal: Terminal,
) {
  const { body } = await connection.call('createDeviceLink', {
    body: {
      verifierHash: createHash('sha256').update(verifier).digest('hex'),
      deviceName: hostname(),
      clientVersion: version,
      osFamily: PLATFORM_NAMES[process.platform] ?? process.platform,
      arch: process.arch,
    },
  });
  const { approvalUrl, expiresAt, publicRequestId } = body;
  const code = matchCode(publicRequestId);
  const { bold, cyan } = terminal.noteColours;
  terminal.announce({ approvalUrl, matchCode: code, expiresAt }, () => [
    `Open      ${cyan(safeLine(approvalUrl))}`,
    `Compare   ${bold(code)}`,
    'Approve only if the page shows the same code.',
  ]);
  const mayOpen = options['browser'] !== false && terminal.isInteractive && hasBrowser(environment);
  if (mayOpen && (await openPage(approvalUrl, environment))) terminal.note('Opened your browser.');
  return body;
}

/** Revokes a credential that will not be used. If that fails, the person still sees the device in the browser. */
async function giveUp(connection: Connection): Promise<void> {
  try {
    await connection.attempt('revokeCurrentDevice');
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
  }
}
