/** `svc manifest sign` */
import path from 'node:path';
import type { Release, ReleaseEnvelope } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { CliError } from '../errors.ts';
import { writeOutputFile } from '../files/output-file.ts';
import { safeLine } from '../terminal/safe-text.ts';
import { releaseFromDraft, releaseProblems } from './draft.ts';
import { openEnvelope, sealed } from './envelope.ts';
import { givenJson, outputOf, privateKeysOf, type GivenJson } from './given.ts';
import type { PrivateKey } from './keys.ts';
import { releaseIn } from './release.ts';

interface Signed {
  readonly envelope: ReleaseEnvelope;
  readonly release: Release;
}

export const run: Run = async (invocation, terminal) => {
  const output = outputOf(invocation);
  const keys = await privateKeysOf(invocation);
  const given = await givenJson(invocation);
  const { envelope, release } = isEnvelope(given.value)
    ? signedAgain(given, keys)
    : await signed(given, keys);
  await writeEnvelope(envelope, output, invocation);
  const value = {
    file: output,
    version: release.version,
    channel: release.channel,
    expiresAt: release.expiresAt,
    keyIds: envelope.signatures.map(({ keyid }) => keyid),
  };
  terminal.result(value, () => [
    `${safeLine(output)}: svc ${release.version} of ${release.channel}, until ${release.expiresAt}`,
    ...value.keyIds.map((keyId) => `signed by ${safeLine(keyId)}`),
  ]);
};

async function signed(given: GivenJson, keys: readonly PrivateKey[]): Promise<Signed> {
  const release = await releaseFromDraft(given.value, given, Date.now());
  return { release, envelope: sealed(Buffer.from(JSON.stringify(release)), keys) };
}

/** Signs the same bytes again, so that existing signatures stay valid. */
function signedAgain({ bytes, shown }: GivenJson, keys: readonly PrivateKey[]): Signed {
  const { payload, signatures } = openEnvelope(bytes);
  const release = releaseIn(payload);
  const problems = releaseProblems(release, Date.now());
  if (problems.length > 0) {
    throw new CliError('rejected', `${shown} does not contain a release that can be signed.`, {
      details: problems,
    });
  }
  return { release, envelope: sealed(payload, keys, signatures) };
}

function isEnvelope(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, 'payloadType');
}

function writeEnvelope(envelope: ReleaseEnvelope, output: string, invocation: Invocation): Promise<void> {
  const text = `${JSON.stringify(envelope, null, 2)}\n`;
  return writeOutputFile(path.resolve(invocation.folder, output), text, invocation.options['force'] === true);
}
