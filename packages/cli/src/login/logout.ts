/** `svc logout`: the service revokes the credential, and this machine forgets it, whether or not the service answers. */
import { removeAll } from '../analytics/spool.ts';
import { spoolFolder } from '../analytics/usage.ts';
import type { Invocation, Run } from '../command.ts';
import { noteAnswer } from '../connection/answered.ts';
import { connectTo, heldCredential } from '../connection/connect.ts';
import { CliError } from '../errors.ts';
import { foldersOf } from '../folders.ts';
import { openCredentials } from '../keystore/open-keystore.ts';

export const run: Run = async (invocation, terminal) => {
  const { environment } = invocation;
  const { origin, credential } = await heldCredential(environment);
  if (credential?.source === 'SVC_DEVICE_TOKEN') {
    throw new CliError('usage', 'SVC_DEVICE_TOKEN is set, and logout forgets only what login kept.', {
      hint: 'Unset it, and run svc logout again; or revoke that device in the browser.',
    });
  }
  const { green } = terminal.colours;
  if (credential === null) {
    return terminal.result({ linked: false, service: origin, revoked: false }, () => [
      `This machine is not linked to ${origin}.`,
    ]);
  }
  const revoked = await revoke(origin, credential.token, invocation);
  const { config } = foldersOf(environment);
  await openCredentials(environment, config).remove(origin);
  // What waits to be counted was this account's, and nobody can send it any more.
  await removeAll(spoolFolder(environment));
  noteAnswer(null);
  if (!revoked) {
    terminal.warn(`${origin} did not answer: the credential is forgotten here and still valid there.`);
    terminal.warn('Revoke the device in the browser, under Devices.');
  }
  terminal.result({ linked: false, service: origin, revoked }, () => [
    `${green('✓')} This machine is no longer linked to ${origin}.`,
  ]);
};

/** False when nobody can tell. A credential that the service refuses is as good as revoked. */
async function revoke(origin: string, token: string, invocation: Invocation): Promise<boolean> {
  try {
    const outcome = await connectTo(origin, token, invocation).attempt('revokeCurrentDevice');
    return outcome.ok || outcome.status === 401;
  } catch (error) {
    if (error instanceof CliError && error.reason !== 'interrupted') return false;
    throw error;
  }
}
