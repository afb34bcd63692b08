// Runs before the tests of each file. Node keeps compiled modules in a folder, so the next process loads them faster.
// Properties are tried more often in the thorough run than in the everyday run.
import fc from 'fast-check';
import { enableCompileCache } from 'node:module';
import path from 'node:path';

enableCompileCache(path.join(import.meta.dirname, '../.cache/compiled-modules'));

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(process.env['SVC_TEST_RUNS']) });
