/** What all commands have in common: help, arguments, JSON and exit codes. */
import { describe, expect, test } from 'vitest';
import { runCommand, valueOfCommand } from '../../../test/run-command.ts';
import { commands } from '../index.ts';
import { createProgress } from './progress.ts';

describe.each(commands)('$name', (command) => {
  const words = command.name.split(' ');

  test('--help shows how to call it, its options, its exit codes and an example', async () => {
    const { exitCode, lines } = await runCommand([...words, '--help'], {});
    const help = lines.join('\n');
    expect(exitCode).toBe(0);
    expect(lines[0]).toBe(`${command.summary}.`);
    expect(help).toContain(`svc-server ${command.name}`);
    for (const { form } of [...(command.options ?? []), ...(command.arguments ?? [])])
      expect(help).toContain(`\n  ${form} `);
    for (const code of [0, 1, 2]) expect(help).toMatch(new RegExp(`Exit codes\n(?:.*\n)*  ${code}  `));
    expect(help).toMatch(new RegExp(`Examples\n  \\$ svc-server ${command.name}`));
    expect(lines.filter((line) => line.length > 100)).toEqual([]);
  });

  test('rejects an unknown option with exit code 2 and the usage, as text and as JSON', async () => {
    const given = [...words, '--no-such-option'];
    expect(await runCommand(given, {})).toEqual({
      exitCode: 2,
      lines: [
        expect.stringContaining(`Wrong arguments for "${command.name}". Unknown option '--no-such-option'`),
        expect.stringContaining(`Usage: svc-server ${command.name}`),
      ],
    });
    expect(await valueOfCommand(given, {})).toEqual({
      command: command.name,
      exitCode: 2,
      error: expect.stringContaining('--no-such-option'),
    });
  });
});

test('svc-server --help lists every command', async () => {
  const { lines } = await runCommand(['--help'], {});
  for (const { name, summary } of commands)
    expect(lines.join('\n').replaceAll(/\s+/g, ' ')).toContain(`${name} ${summary}`);
});

test('--version prints the version', async () => {
  expect(await runCommand(['--version'], {})).toEqual({
    exitCode: 0,
    lines: [expect.stringMatching(/^\d+\.\d+\.\d+/)],
  });
});

test('a command that was interrupted says so, and fails', async () => {
  const interruption = new AbortController();
  interruption.abort();
  const around = { signal: interruption.signal, report: createProgress({ write: () => undefined }).report };
  expect(await runCommand(['audit', 'verify', '--file', '/nowhere'], {}, around)).toEqual({
    exitCode: 2,
    lines: ['Interrupted.'],
  });
});
