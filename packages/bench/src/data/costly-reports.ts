/**
 * The most expensive reports that uploads accept: each repeats one construct that a renderer or the projection
 * expands or processes slowly, up to the size limit.
 */
import { createHash } from 'node:crypto';
import { newLocalId, reportBody } from '@svc/testkit';
import { summarize, type CanonicalReport } from '@svc/report';
import type { PreparedReport } from './report-template.ts';

type Finding = CanonicalReport['findings'][number];
type Evidence = Finding['evidence'][number];

const PROSE_LENGTH = 12_000;
const SNIPPET_LENGTH = 24_000;
/** Bytes reserved for everything but findings. */
const HEAD_BYTES = 2000;

interface Costly {
  readonly name: string;
  readonly finding: (number: number) => Finding;
  readonly project?: CanonicalReport['project'];
}

const plain = 'The handler trusts what it is given.';

function findingOf(number: number, changes: Partial<Finding>): Finding {
  return {
    id: `F-${number}`,
    title: 'Order lookup trusts the id',
    category: 'broken_access_control',
    severity: 'high',
    verification: 'verified',
    summary: plain,
    impact: plain,
    affected: { component: 'api' },
    evidence: [{ kind: 'source', description: plain }],
    remediation: plain,
    verificationPlan: plain,
    ...changes,
  };
}

function filled(unit: string, length: number): string {
  return unit.repeat(Math.floor(length / unit.length));
}

/** Every prose field has its maximum length. */
function proseOf(name: string, unit: string, project?: Costly['project']): Costly {
  const prose = filled(unit, PROSE_LENGTH);
  const shorter = filled(unit, 8000);
  const evidence: Evidence[] = Array.from({ length: 64 }, () => ({ kind: 'source', description: prose }));
  return {
    name,
    finding: (number) =>
      findingOf(number, {
        summary: shorter,
        impact: shorter,
        evidence,
        remediation: prose,
        verificationPlan: shorter,
        reproduction: prose,
      }),
    ...(project && { project }),
  };
}

/** Lines of code with known numbers, so that each becomes an element. */
function numberedLines(name: string, unit: string): Costly {
  const snippet = filled(unit, SNIPPET_LENGTH);
  const lines = snippet.split('\n').length - 1;
  const location = `a.ts:90000000-${90_000_000 + lines - 1}`;
  const evidence: Evidence[] = Array.from({ length: 64 }, () => ({
    kind: 'source',
    description: plain,
    snippet,
    location,
  }));
  return { name, finding: (number) => findingOf(number, { evidence }) };
}

const shortTexts: Costly = {
  name: 'countless short texts',
  finding: (number) =>
    findingOf(number, {
      references: Array.from({ length: 32 }, () => ''),
      tags: Array.from({ length: 32 }, () => ''),
      taxonomy: Array.from({ length: 16 }, () => ''),
      fixHistory: Array.from({ length: 8 }, () => ({
        at: '2026-03-04T05:06:07Z',
        action: 'verified' as const,
        verified: true,
        changedFiles: Array.from({ length: 12 }, () => 'a'.repeat(14)),
        note: '',
      })),
    }),
};

const evidenceEntries: Costly = {
  name: 'countless evidence entries',
  finding: (number) => {
    const entry: Evidence = {
      kind: 'dependency',
      description: 'ten letter',
      snippet: 'x',
      location: 'a.ts:1',
    };
    return findingOf(number, {
      evidence: Array.from({ length: 64 }, () => entry),
      corroboration: Array.from({ length: 256 }, () => entry),
    });
  },
};

const categories: Costly = {
  name: 'a category for each finding',
  finding: (number) =>
    findingOf(number, {
      category: `c${number}_${filled('ab_', 110)}c`,
      title: 'T'.repeat(240),
      summary: 'S'.repeat(200),
      taxonomy: Array.from({ length: 16 }, (_, index) => `CWE-${number + index}`),
    }),
};

/** Each origin contains a name that `anonymize` searches for in every text. */
function origins(name: string, originOf: (number: number) => string, unit: string): Costly {
  return {
    name,
    project: { name: 'aaa', repositoryUrl: 'https://git.example/aaa/aab' },
    finding: (number) =>
      findingOf(number, {
        affected: { component: 'api', origin: originOf(number) },
        summary: filled(unit, 900),
      }),
  };
}

/** In several formats, most of these reports cost more than an ordinary report of the same size. */
export const costlyReports: readonly Costly[] = [
  proseOf('short items of lists', '- a\n'),
  proseOf('lists within lists', '- - - - a\n'),
  proseOf('lists of alternating kinds', '- a\n1. a\n'),
  proseOf('lists within lists of alternating kinds', '- 1. - 1. a\n1. - 1. - a\n'),
  proseOf('short paragraphs', 'a\n\n'),
  proseOf('short code', '`a`b'),
  proseOf('blocks of code in lists', '- ~~~\n'),
  proseOf('short addresses', 'http://a '),
  proseOf('brackets around addresses', 'http://a((((((((((((((((((((((((((((( '),
  proseOf('characters to escape', "'&<"),
  proseOf('unseen characters', '\u009f'),
  proseOf('live words', 'a@b '),
  proseOf('colons', ':a'),
  proseOf('mentions of findings', 'F-1 '),
  proseOf('names of the project', 'aaa ', { name: 'aaa' }),
  proseOf('within names of the project', 'aaa', { name: 'aaa' }),
  proseOf('a name of many words', 'a ', { name: `${filled('a ', 199)}b` }),
  proseOf('names beside a letter that folds to ASCII', 'aaa \u017f', { name: 'aaa' }),
  numberedLines('empty lines of code', '\n'),
  numberedLines('short lines of code', 'x\n'),
  shortTexts,
  evidenceEntries,
  categories,
  origins('names with the same beginning', (number) => `aaaaaaaaaaaaaaaa${number}`, 'aaaaaaaaaaaaaaaa '),
  origins('names with different beginnings', (number) => hostOf(number), 'aaa-'),
  origins('names that almost occur', (number) => `b a b a b a b ${number}`, 'b a '),
];

function hostOf(number: number): string {
  return createHash('sha256').update(String(number)).digest('hex').slice(0, 20);
}

/** A report with as many findings as fit into this many bytes. */
export function costlyReport({ finding, project }: Costly, sizeBytesMax: number): PreparedReport {
  const localReportId = newLocalId();
  const findings: Finding[] = [];
  let leftBytes = sizeBytesMax - HEAD_BYTES;
  for (let number = 1; number <= 10_000; number += 1) {
    const next = finding(number);
    leftBytes -= Buffer.byteLength(JSON.stringify(next)) + 1;
    if (leftBytes < 0) break;
    findings.push(next);
  }
  const body = { localReportId, findings, summary: summarize(findings), ...(project && { project }) };
  const bytes = Buffer.from(JSON.stringify(reportBody(body)));
  return { localReportId, bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
}
