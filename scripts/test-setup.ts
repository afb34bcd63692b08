// Runs before the tests of each file: how often properties are tried differs between the everyday and the thorough run.
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), numRuns: Number(process.env['SVC_TEST_RUNS']) });
