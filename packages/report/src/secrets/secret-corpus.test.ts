/** Measures the search against a labelled corpus, which is based on the published formats and not on the search. */
import { expect, test } from 'vitest';
import { isCovered, labelledCorpus } from '../../test/secret-corpus.ts';
import { log, result, run } from '../../test/sarif.ts';
import { noFindings } from '../intake/deduplication.ts';
import { submitFinding } from '../intake/intake.ts';
import { redactPointer, redactText, secretPaths } from './redact.ts';
import { importSarif } from '../sarif/import.ts';
import { findSecrets } from './secrets.ts';
import { mayHoldSecret } from './secrets-in-json.ts';

const RECALL_MIN = 0.98;
const FALSE_POSITIVES_MAX = 0.005;
const { secrets, harmless } = labelledCorpus();

test('[D24] the corpus has at least 400 secrets in 120 formats and 400 look-alikes', () => {
  expect(new Set(secrets.map(({ format }) => format)).size).toBeGreaterThanOrEqual(120);
  expect(secrets.length).toBeGreaterThanOrEqual(400);
  expect(harmless.length).toBeGreaterThanOrEqual(400);
});

test('[D24] the search finds at least 98 % of the secrets completely', () => {
  const missed = secrets.filter((item) => !isCovered(item, findSecrets(item.text)));
  expect(
    missed
      .map(({ format, context }) => `${format} in ${context}`)
      .slice(0, missed.length > secrets.length * (1 - RECALL_MIN) ? 200 : 0),
  ).toEqual([]);
});

test('[D24] the search finds a secret in at most 0.5 % of the look-alikes', () => {
  const wrong = harmless.flatMap(({ format, context, text }) =>
    findSecrets(text).map(({ kind }) => `${kind}: ${format} in ${context}`),
  );
  expect(wrong.length <= harmless.length * FALSE_POSITIVES_MAX ? [] : wrong).toEqual([]);
});

test('[D24] the check of an uploaded body finds every secret that the search finds', () => {
  const unnoticed = secrets.filter(({ text, secret }) => {
    const report = { summary: text, tags: ['a', 'b'] };
    return (
      findSecrets(text).length > 0 &&
      !mayHoldSecret(Buffer.from(JSON.stringify(report)), true) &&
      secret !== ''
    );
  });
  expect(unnoticed.map(({ format, context }) => `${format} in ${context}`)).toEqual([]);
});

test('[D24] redaction leaves no secret in a text, and redacting again changes nothing', () => {
  for (const { text, secret } of secrets) {
    const redaction = redactText(text);
    expect(redaction.text).not.toContain(secret);
    expect(redactText(redaction.text)).toEqual({ text: redaction.text, count: 0 });
  }
});

test('[D24] imported and submitted findings contain no secret of any format', () => {
  for (const { text, secret } of secrets) {
    const { findings, redactions } = importSarif(log(run([result({ message: { text: `Found ${text}` } })])));
    expect(JSON.stringify(findings)).not.toContain(JSON.stringify(secret).slice(1, -1));
    expect(redactions).toBeGreaterThan(0);
    const { set, result: intake } = submitFinding(noFindings, submission(text), {
      at: '2026-01-02T03:04:05.000Z',
      secrets: { redactPointer, redactText, secretPaths },
    });
    expect(intake).toMatchObject({ accepted: true, errors: [] });
    expect(intake.redactions).toBeGreaterThan(0);
    expect(JSON.stringify(set)).not.toContain(JSON.stringify(secret).slice(1, -1));
  }
});

function submission(snippet: string) {
  return {
    title: 'A secret in the settings',
    category: 'exposed_secret',
    severity: 'high',
    verification: 'verified',
    summary: 'The settings contain a secret.',
    impact: 'Anyone who can read the file can use the secret.',
    affected: { component: 'settings', file: 'src/settings.ts' },
    evidence: [{ kind: 'source', description: 'It stands here.', snippet }],
    remediation: 'Revoke the secret where it was issued.',
    verificationPlan: 'Use the secret and see that it fails.',
  };
}
