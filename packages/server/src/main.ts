/**
 * The service as a process: environment → configuration → composition → listening → signals. With a command, only the
 * command runs.
 */
import { enableCompileCache } from 'node:module';
import type { CommandResult } from './command.ts';

// Kept between starts, so that a warm start does not compile everything again.
enableCompileCache();

const command = process.argv.slice(2);
if (command.length === 0) {
  const { run } = await import('./run.ts');
  await run(process.env);
} else {
  const { exitCode, lines } = await runCommand();
  const output = exitCode === 0 ? process.stdout : process.stderr;
  output.write(`${lines.join('\n')}\n`);
  process.exitCode = exitCode;
}

async function runCommand(): Promise<CommandResult> {
  const [only] = command.length === 1 ? command : [];
  if (only === '--help' || only === '-h') return { exitCode: 0, lines: (await import('./command.ts')).usage };
  if (only === '--version') return { exitCode: 0, lines: [(await import('./version.ts')).version] };
  if (command[0] !== 'backup') return (await import('./audit-command.ts')).runCommand(command, process.env);
  const { runBackupCommand } = await import('./backup-command.ts');
  return runBackupCommand(command, process.env);
}
