// docs/security/ASVS.md has a row for each requirement of levels 1 and 2, and each file and test named as proof exists.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const folder = path.join(import.meta.dirname, '../docs/security');
const document = readFileSync(path.join(folder, 'ASVS.md'), 'utf8');

/** How many requirements of level 1 and of level 2 each chapter of ASVS 5.0.0 has. */
const COUNTS: Readonly<Record<string, readonly [one: number, two: number]>> = {
  V1: [8, 19],
  V2: [4, 7],
  V3: [8, 11],
  V4: [2, 8],
  V5: [4, 5],
  V6: [13, 22],
  V7: [6, 12],
  V8: [4, 3],
  V9: [4, 3],
  V10: [5, 24],
  V11: [3, 11],
  V12: [3, 6],
  V13: [1, 12],
  V14: [2, 7],
  V15: [3, 10],
  V16: [0, 16],
  V17: [0, 7],
};

const rows = [
  ...document.matchAll(/^\| (V\d+)\.(\d+\.\d+) +\| ([12]) +\| (.+?) +\| ([a-z ]+?) +\| (.+?) +\|$/gm),
].map(([, chapter = '', rest = '', level = '', about = '', state = '', proof = '']) => ({
  chapter,
  id: `${chapter}.${rest}`,
  level,
  about,
  state,
  proof,
}));

test('each requirement of levels 1 and 2 is listed once', () => {
  expect(new Set(rows.map(({ id }) => id)).size).toBe(rows.length);
  const counted = Object.fromEntries(
    Object.keys(COUNTS).map((chapter) => {
      const levels = rows.filter((row) => row.chapter === chapter).map(({ level }) => level);
      return [chapter, ['1', '2'].map((level) => levels.filter((each) => each === level).length)];
    }),
  );
  expect(counted).toEqual(COUNTS);
});

test('each requirement has one of three states and a short text, and the totals are right', () => {
  const states = Map.groupBy(rows, ({ state }) => state);
  expect([...states.keys()].toSorted()).toEqual(['met', 'not applicable', 'open']);
  expect(rows.filter(({ about }) => about.split(' ').length > 12)).toEqual([]);
  const [met, other, open] = ['met', 'not applicable', 'open'].map((state) => states.get(state)?.length);
  expect(document).toContain(`${met} are met, ${other} do not apply, ${open} are open`);
});

test('a met requirement links to a file, and each test named beside a link is in the linked file', () => {
  const linksIn = (text: string) => [
    ...text.matchAll(/\]\(([^)#]+)[^)]*\)(?:(?<=\.test\.ts\)): `([^`]+)`)?/g),
  ];
  expect(rows.filter(({ state, proof }) => state === 'met' && linksIn(proof).length === 0)).toEqual([]);
  const missing = rows.flatMap(({ id, proof }) =>
    linksIn(proof).flatMap(([, file = '', title]) => {
      const place = path.join(folder, file);
      if (!existsSync(place)) return [`${id}: ${file}`];
      return title === undefined || readFileSync(place, 'utf8').includes(title) ? [] : [`${id}: ${title}`];
    }),
  );
  expect(missing).toEqual([]);
});
