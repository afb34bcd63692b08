/** The lines of the recipes on the page come from the recipes in the documentation, which other tests run. */
import * as fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { recipeKinds, recipeOf, tokenCommands } from '../src/features/project/recipes.ts';

const docs = path.join(import.meta.dirname, '../../../docs');
const linesOf = (name: string) =>
  fs
    .readFileSync(path.join(docs, name), 'utf8')
    .split('\n')
    .map((line) => line.trim());
const facts = {
  origin: 'https://svc.example.com',
  program: {
    url: 'https://files.example.com/svc-0.1.0.mjs',
    sha256: '0000000000000000000000000000000000000000000000000000000000000000',
  },
};
/** The command on the page, which is shorter than in the documentation. */
const own = /svc scan \. \$\{SVC_DEVICE_TOKEN:\+--fail-on high\}$/;

test.each(recipeKinds.map(({ id }) => id))(
  'each line of the recipe for %s is in the documentation',
  (kind) => {
    const documented = new Set(linesOf('CI.md').map((line) => line.replace(/ #.*$/, '')));
    const lines = recipeOf(kind, facts)
      .split('\n')
      .map((line) => line.trim());
    expect(lines.filter((line) => !documented.has(line) && !own.test(line))).toEqual([]);
    expect(lines.filter((line) => own.test(line))).toHaveLength(1);
  },
);

test('the commands to get a token are those of the documentation', () => {
  const documented = new Set(linesOf('CLI.md').map((line) => line.replace(/ {2,}#.*$/, '')));
  expect(
    tokenCommands(facts.origin)
      .split('\n')
      .filter((line) => !documented.has(line)),
  ).toEqual([]);
});

test('without a download address for the program, the recipe says where to find it', () => {
  for (const { id } of recipeKinds)
    expect(recipeOf(id, { ...facts, program: null })).toContain('ADDRESS_FROM_THE_INSTALL_PAGE');
});
