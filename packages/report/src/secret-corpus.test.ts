/** How much of a labelled corpus the search gets right. The corpus is made from the published formats, not from the search. */
import { expect, test } from 'vitest';
import { isCovered, labelledCorpus } from '../test/secret-corpus.ts';
import { findSecrets } from './secrets.ts';

const RECALL_MIN = 0.98;
const FALSE_POSITIVES_MAX = 0.005;
const { secrets, harmless } = labelledCorpus();

test('[D24] the corpus has 400 secrets in 120 formats and 400 look-alikes', () => {
  expect(new Set(secrets.map(({ format }) => format)).size).toBeGreaterThanOrEqual(120);
  expect(secrets.length).toBeGreaterThanOrEqual(400);
  expect(harmless.length).toBeGreaterThanOrEqual(400);
});

test('[D24] finds at least 98 % of the secrets, whole', () => {
  const missed = secrets.filter((item) => !isCovered(item, findSecrets(item.text)));
  expect(missed.map(({ format, context }) => `${format} in ${context}`).slice(0, missed.length > secrets.length * (1 - RECALL_MIN) ? 200 : 0)).toEqual([]);
});

test('[D24] finds something in at most 0.5 % of the look-alikes', () => {
  const wrong = harmless.flatMap(({ format, context, text }) =>
    findSecrets(text).map(({ kind }) => `${kind}: ${format} in ${context}`),
  );
  expect(wrong.length <= harmless.length * FALSE_POSITIVES_MAX ? [] : wrong).toEqual([]);
});
