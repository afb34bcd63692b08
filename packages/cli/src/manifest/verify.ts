/**
 * `svc manifest verify`: all checks of a client that need nothing but the manifest. The checks that need the client's
 * channel, or what it has installed or seen, are in update/rules.ts.
 */
import type { Run } from '../command.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { rejectByItself } from '../update/rules.ts';
import { updateSettings } from '../update/settings.ts';
import { artifactAddress } from './artifact-address.ts';
import { openEnvelope, signersOf } from './envelope.ts';
import { givenJson, publicKeysOf } from './given.ts';
import { releaseIn } from './release.ts';
import { rejected } from './rejections.ts';

export const run: Run = async (invocation, terminal) => {
  const given = await publicKeysOf(invocation);
  const keys = given.length > 0 ? given : (await updateSettings(invocation.environment)).keys;
  const { bytes, shown } = await givenJson(invocation);
  const envelope = openEnvelope(bytes);
  const signers = signersOf(envelope, keys);
  if (signers.length === 0) {
    throw rejected('MANIFEST_UNTRUSTED', `${shown} is not signed by any of these keys.`, {
      details: keys.map(({ keyId }) => keyId),
    });
  }
  const release = releaseIn(envelope.payload);
  rejectByItself(release, Date.now());
  const unusable = release.artifacts.filter(({ url }) => !artifactAddress(url));
  if (unusable.length > 0) {
    throw rejected('ARTIFACT_ADDRESS', `${shown} names addresses from which svc does not download.`, {
      details: unusable.map(({ platform, arch, url }) => `${platform}-${arch}: ${safeLine(url)}`),
    });
  }
  const keyIds = signers.map(({ keyId }) => keyId);
  terminal.result({ keyIds, signatures: envelope.signatures.length, release }, () => [
    `${shown}: svc ${release.version} of ${release.channel}, until ${release.expiresAt}`,
    ...keyIds.map((keyId) => `signed by ${keyId}`),
    ...release.artifacts.map(
      ({ platform, arch, url, size }) => `${platform}-${arch}: ${safeLine(url)}, ${size} bytes`,
    ),
  ]);
};
