/** `svc logout`: the service revokes the credential, and this machine deletes it, whether or not the service responds. */
import { removeAll } from '../analytics/spool.ts';
import { spoolFolder } from '../analytics/usage.ts';
import type { Invocation, Run } from '../command.ts';
import { noteAnswer } from '../connection/reached-service.ts';
import { connectTo, heldCredential } from '../connection/connect.ts';
import { rejection } from '../connection/rejection.ts';
import { CliError } from '../errors.ts';
import { foldersOf } from '../folders.ts';
import { openCredentials } from '../keystore/open-keystore.ts';

export const run: Run = async (invocation, terminal) => {
  const { environment } = invocation;
  const { origin, credential } = await heldCredential(environment);
  if (credential?.source === 'SVC_DEVICE_TOKEN') {
    throw new CliError(
      'usage',
      'SVC_DEVICE_TOKEN is set, and logout only deletes the credential of svc login.',
      {
        hint: 'Unset it and run svc logout again, or revoke that device in the browser.',
      },
    );
  }
  const { green } = terminal.colours;
  if (credential === null) {
    return terminal.result({ linked: false, service: origin, revoked: false }, () => [
      `This machine is not linked to ${origin}.`,
    ]);
  }
  const notRevoked = await revoke(origin, credential.token, invocation);
  const revoked = notRevoked === null;
  const { config } = foldersOf(environment);
  await openCredentials(environment, config).remove(origin);
  // Pending events belong to this account, and can no longer be sent.
  await removeAll(spoolFolder(environment));
  noteAnswer(null);
  if (!revoked) {
    terminal.warn(notRevoked);
    terminal.warn('The credential is deleted here, but may still be valid in the service.');
    terminal.warn('Revoke the device in the browser, under Devices.');
  }
  terminal.result({ linked: false, service: origin, revoked }, () => [
    `${green('✓')} This machine is no longer linked to ${origin}.`,
  ]);
};

/**
 * Null when the credential is revoked, else a sentence that says why it may still be valid. A credential that the
 * service rejects counts as revoked.
 */
async function revoke(origin: string, token: string, invocation: Invocation): Promise<string | null> {
  try {
    const outcome = await connectTo(origin, token, invocation).attempt('revokeCurrentDevice');
    if (outcome.ok || outcome.status === 401) return null;
    const { message } = rejection(outcome, origin);
    return `${origin} did not revoke the credential (status ${outcome.status}). ${message}`;
  } catch (error) {
    if (error instanceof CliError && error.reason !== 'interrupted') return error.message;
    throw error;
  }
}
