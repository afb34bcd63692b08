import { validatorOf } from '@svc/contract/validation';
import { expect, test } from 'vitest';
import { CanonicalReport } from '../src/model/canonical.ts';
import { HOSTILE_TURNS, hostileReport, polyglots } from './hostile-report.ts';
import { reportOf } from './samples.ts';

test('[T12] over all turns, each long field has each hostile text, and each report is valid', () => {
  const found = new Map<string, string[]>();
  for (let turn = 0; turn < HOSTILE_TURNS; turn += 1) {
    const { report, texts } = hostileReport(reportOf().localReportId, turn);
    expect(validatorOf(CanonicalReport).Check(report)).toBe(true);
    for (const [path, text] of texts) found.set(path, [...(found.get(path) ?? []), text]);
  }
  for (const path of ['/findings/0/title', '/findings/0/summary', '/project/name']) {
    const texts = found.get(path) ?? [];
    expect(polyglots.filter((each) => !texts.some((text) => text.startsWith(each)))).toEqual([]);
  }
  // Fields that are too short for most texts repeat those that fit.
  for (const [path, texts] of found) expect([path, new Set(texts).size > 1]).toEqual([path, true]);
});
