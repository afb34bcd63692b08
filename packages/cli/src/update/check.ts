/** `svc update check` */
import type { Run } from '../command.ts';
import { version } from '../version.ts';
import { currentOffer, rememberOffer } from './offer.ts';

export const run: Run = async (invocation, terminal) => {
  const offer = await currentOffer(invocation);
  await rememberOffer(invocation, offer);
  const { origin, channel, release, state, isUrgent, keyIds } = offer;
  invocation.happened('cli_update_checked');
  const { bold, dim, green, yellow } = terminal.colours;
  const value = {
    installed: version,
    available: release.version,
    state,
    isUrgent,
    channel,
    releasedAt: release.releasedAt,
    expiresAt: release.expiresAt,
    keyIds,
    service: origin,
  };
  terminal.result(value, () => {
    if (state === 'current')
      return [`${green('✓')} svc ${version} is the newest version in channel ${channel}.`];
    return [
      `${bold(`svc ${release.version}`)} is available, released ${release.releasedAt}; this is ${version}.`,
      ...(isUrgent ? [yellow(`${version} was revoked or is no longer supported: update now.`)] : []),
      dim('svc update apply'),
    ];
  });
};
