import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test.each([
  ['is loaded', ''],
  [
    'has run a database',
    'const server = await testkit.startPostgresServer({ durable: false }); await server.remove();',
  ],
])('a program keeps its exit code when the testkit %s', { timeout: 150_000 }, (_when, act) => {
  const program = `const testkit = await import('@svc/testkit'); ${act} process.exitCode = 3;`;
  const { status } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
    cwd: import.meta.dirname,
    timeout: 120_000,
  });
  expect(status).toBe(3);
});
