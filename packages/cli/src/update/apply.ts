/** `svc update apply`: the newest release takes the place of the program that runs. */
import type { Release, ReleaseArtifact } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { foldersOf } from '../folders.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { downloadArtifact } from './download.ts';
import { install } from './install.ts';
import { alone } from './memory.ts';
import { currentOffer, refuseIfOvertaken, rememberOffer } from './offer.ts';
import { installedProgram, refuseIfReplaced, type Program } from './program.ts';

export const run: Run = async (invocation, terminal) => {
  const program = await installedProgram(invocation.program);
  const { release, artifact, channel } = await currentOffer(invocation);
  const { green, dim } = terminal.colours;
  if (artifact === null) {
    await rememberOffer(invocation, { release, channel });
    const value = { updated: false, from: version, to: version, file: program.file, previous: null };
    return terminal.result(value, () => [
      `${green('✓')} svc ${version} is the newest of the channel ${channel}.`,
    ]);
  }
  const bytes = await downloaded(release, artifact, invocation, terminal);
  // Not before: a release whose program is not what was signed leaves no trace.
  await rememberOffer(invocation, { release, channel });
  const previous = await installed(program, bytes, { release, channel, invocation });
  const value = { updated: true, from: version, to: release.version, file: program.file, previous };
  terminal.result(value, () => [
    `${green('✓')} svc ${release.version} is in the place of ${version}.`,
    dim(`The old one is kept as ${previous}.`),
  ]);
};

async function downloaded(
  { version: offered }: Release,
  artifact: ReleaseArtifact,
  { signal }: Invocation,
  terminal: Terminal,
): Promise<Uint8Array> {
  const progress = terminal.progress(`Fetching svc ${offered}`, artifact.size);
  try {
    const bytes = await downloadArtifact(artifact, { signal, onBytes: (count) => progress.update(count) });
    progress.succeed(`svc ${offered} is here, and is what was signed.`);
    return bytes;
  } catch (error) {
    progress.fail(`svc ${offered} was not fetched.`);
    throw error;
  }
}

interface Installing {
  readonly release: Release;
  readonly channel: string;
  readonly invocation: Invocation;
}

/** Another svc may have seen or installed a newer one while this one was fetched. */
function installed(
  program: Program,
  bytes: Uint8Array,
  { release, channel, invocation }: Installing,
): Promise<string> {
  const { environment, signal } = invocation;
  return alone(foldersOf(environment).data, channel, async (seen) => {
    refuseIfOvertaken(release, seen);
    await refuseIfReplaced(program);
    return install({ file: program.file, bytes, version: release.version, environment, signal });
  });
}
