/** `svc update apply`: replaces the running program with the newest release. */
import type { Release, ReleaseArtifact } from '@svc/contract';
import type { Invocation, Run } from '../command.ts';
import { foldersOf } from '../folders.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { version } from '../version.ts';
import { downloadArtifact } from './download.ts';
import { install } from './install.ts';
import { alone } from './seen-releases.ts';
import { currentOffer, rejectIfOvertaken, rememberOffer } from './offer.ts';
import { installedProgram, rejectIfReplaced, type Program } from './program.ts';

export const run: Run = async (invocation, terminal) => {
  const program = await installedProgram(invocation.program);
  const { release, artifact, channel } = await currentOffer(invocation);
  const { green, dim } = terminal.colours;
  if (artifact === null) {
    await rememberOffer(invocation, { release, channel });
    const value = { updated: false, from: version, to: version, file: program.file, previous: null };
    return terminal.result(value, () => [
      `${green('✓')} svc ${version} is the newest version in channel ${channel}.`,
    ]);
  }
  const bytes = await downloaded(release, artifact, invocation, terminal);
  // Runs only now, because a release whose program is not the signed one must leave no trace.
  await rememberOffer(invocation, { release, channel });
  const previous = await installed(program, bytes, { release, channel, invocation });
  const value = { updated: true, from: version, to: release.version, file: program.file, previous };
  terminal.result(value, () => [
    `${green('✓')} Updated svc from ${version} to ${release.version}.`,
    dim(`The previous program is kept as ${previous}.`),
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
    progress.succeed(`svc ${offered} was downloaded and verified.`);
    return bytes;
  } catch (error) {
    progress.fail(`svc ${offered} was not downloaded.`);
    throw error;
  }
}

interface Installing {
  readonly release: Release;
  readonly channel: string;
  readonly invocation: Invocation;
}

/** Another svc may have seen or installed a newer release during the download. */
function installed(
  program: Program,
  bytes: Uint8Array,
  { release, channel, invocation }: Installing,
): Promise<string> {
  const { environment, signal } = invocation;
  return alone(foldersOf(environment).data, channel, async (seen) => {
    rejectIfOvertaken(release, seen);
    await rejectIfReplaced(program);
    return install({ file: program.file, bytes, version: release.version, environment, signal });
  });
}
