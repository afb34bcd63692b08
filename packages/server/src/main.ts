/** The service as a process: environment → configuration → composition → listening → signals. */
import { enableCompileCache } from 'node:module';

// Kept between starts, so that a warm one does not compile everything again.
enableCompileCache();

const { run } = await import('./run.ts');
await run(process.env);
