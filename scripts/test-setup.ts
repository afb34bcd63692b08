// Runs before the tests of each file. Properties are tried more often in the thorough run than in the everyday run.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(process.env['SVC_TEST_RUNS']) });
