// docs/ANALYTICS.md lists exactly what the contract allows to be counted.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AnalyticsEvent, analyticsNames, analyticsSurfaces, exportFormats, limits } from '@svc/contract';
import { expect, test } from 'vitest';

const root = path.join(import.meta.dirname, '..');
const document = readFileSync(path.join(root, 'docs/ANALYTICS.md'), 'utf8');

/** The first cell of each row of the table whose first column has this heading. */
function firstCells(heading: string): string[] {
  const [, table = ''] = document.split(new RegExp(`^\\| ${heading} +\\|.*\\n`, 'm'));
  const [rows = ''] = table.split('\n\n');
  return [...rows.matchAll(/^\| `(\w+)`/gm)].map(([, name = '']) => name);
}

test('[D13] the document lists each field of an event, and no other', () => {
  expect(firstCells('field')).toEqual(Object.keys(AnalyticsEvent.properties));
});

test('[D13] the document lists each name of an event, and no other', () => {
  expect(firstCells('name')).toEqual([...analyticsNames]);
});

test('[D13] the document has the enum values and the limits', () => {
  const { keptDays, eventsPerDayMax, versionsPerDayMax } = limits.analytics;
  const said = [
    ...[...analyticsSurfaces, ...exportFormats].map((word) => `\`${word}\``),
    `for ${keptDays} days`,
    `${eventsPerDayMax.toLocaleString('en')} events a day`,
    `at most ${versionsPerDayMax} different ones`,
  ];
  expect(said.filter((words) => !document.includes(words))).toEqual([]);
});
