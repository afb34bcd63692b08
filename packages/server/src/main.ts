/**
 * The service as a process: environment → configuration → composition → listening → signals. With a command, only the
 * command runs.
 */
import { enableCompileCache } from 'node:module';
import { keepYoungSpaceSmall } from '#platform/young-space';

// Kept between starts, so that a warm start does not compile everything again.
enableCompileCache();

const words = process.argv.slice(2);
if (words.length === 0) {
  keepYoungSpaceSmall();
  const { run } = await import('./run.ts');
  await run(process.env);
} else {
  const { runProgram } = await import('./commands/frame/program.ts');
  await runProgram(words, process.env);
}
