/**
 * Blueprints of reports for tests of shares. Texts have placeholders for findings, the project and its hosts, so that
 * one blueprint gives equal reports about different findings and projects.
 */
import {
  authorizationBases,
  coverageStatuses,
  effortsResolved,
  evidenceKinds,
  findingStatuses,
  fixActions,
  severities,
  verifications,
  type Finding,
  type FindingEvidence,
} from '@svc/contract';
import type { CanonicalReport } from '../src/model/canonical.ts';

/** Pseudorandom draws, the same for the same seed. */
export interface Draw {
  of<Item>(items: readonly Item[]): Item;
  upTo(most: number): number;
  maybe<Value>(make: () => Value): Value | undefined;
}

/** The generator is mulberry32. */
export function createDraw(seed: number): Draw {
  let state = seed | 0;
  function upTo(most: number): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * (most + 1));
  }
  const maybe = <Value>(make: () => Value) => (upTo(2) > 0 ? make() : undefined);
  return { upTo, maybe, of: (items) => items[upTo(items.length - 1)]! };
}

/** The values of the placeholders. */
export interface World {
  /** The ids of the remaining findings. */
  readonly ids: readonly string[];
  /** Ids that no remaining finding has. */
  readonly otherIds: readonly string[];
  readonly name: string;
  readonly service: string;
  readonly host: string;
  readonly owner: string;
  readonly repository: string;
  /** The hosts of the remaining findings. */
  readonly origins: readonly string[];
}

/** Replaces `⟦kind⟧`, `⟦kind2⟧` and `⟦kind:upper⟧`; a number is taken modulo the number of values. */
export function render<Blueprint>(blueprint: Blueprint, world: World): Blueprint {
  return visit(blueprint) as Blueprint;

  function visit(part: unknown): unknown {
    if (typeof part === 'string') return part.includes('⟦') ? rendered(part, world) : part;
    if (Array.isArray(part)) return part.map(visit);
    if (typeof part !== 'object' || part === null) return part;
    const entries = Object.entries(part).filter(([, value]) => value !== undefined);
    return Object.fromEntries(entries.map(([name, value]) => [name, visit(value)]));
  }
}

function rendered(text: string, world: World): string {
  return text.replaceAll(
    /⟦([a-z]+)(\d*)(?::([a-z]+))?⟧/g,
    (_, kind: string, number: string, form?: string) => {
      const word = wordFor(kind, Number(number), world);
      if (form === 'upper') return word.toUpperCase();
      if (form === 'lower') return word.toLowerCase();
      return form === 'typeset' ? word.replace('-', '\u2011') : word;
    },
  );
}

function wordFor(kind: string, number: number, world: World): string {
  const among = (words: readonly string[]) => words[number % words.length] ?? world.otherIds[0]!;
  if (kind === 'id') return among(world.ids);
  if (kind === 'other') return among(world.otherIds);
  if (kind === 'origin') return world.origins[number % world.origins.length] ?? 'nowhere.example';
  return world[kind as 'name' | 'service' | 'host' | 'owner' | 'repository'];
}

const literals = [
  'the order handler',
  'UTF-8',
  'CVE-2021-44228',
  'xF-3',
  'F-3x',
  'half-2',
  'shadow.example',
  '“as is”',
  'naïve',
  '支付系统',
  'F-12345678',
  'F-\u0663',
  '\u{1d54f}',
  'a_b',
  '\\n',
];
const placeholders = [
  '⟦id0⟧',
  '⟦id1⟧',
  '⟦id2⟧',
  '⟦id0:lower⟧',
  '⟦id1:typeset⟧',
  '⟦other0⟧',
  '⟦other1⟧',
  '⟦other2:lower⟧',
  '⟦name⟧',
  '⟦name:upper⟧',
  '⟦service:lower⟧',
  '⟦host⟧',
  '⟦owner⟧',
  '⟦repository:upper⟧',
  'https://⟦host⟧/⟦owner⟧/⟦repository⟧.git',
  '⟦origin0⟧',
  '⟦origin1:upper⟧',
  'https://⟦origin2⟧:1/x',
];
/** Prose for texts of at most 200 or 120 characters. */
const short = (draw: Draw, lengthMin = 0) => prose(draw, lengthMin, 2);
const word = (draw: Draw) => prose(draw, 0, 1);

/** No separator is part of a word; otherwise it would change the word of a placeholder beside it. */
const separators = [' ', ' ', '-', '_', '/', '.', ': ', '\n', ' (', 'の', '\u{1f469}'];

function prose(draw: Draw, lengthMin = 0, piecesMax = 5): string {
  let text = '';
  for (let pieces = 1 + draw.upTo(piecesMax - 1); pieces > 0 || text.length < lengthMin; pieces -= 1)
    text += `${draw.of(draw.upTo(1) === 0 ? literals : placeholders)}${draw.of(separators)}`;
  // The value of a placeholder can be shorter than the placeholder.
  return `${text}${'.'.repeat(lengthMin)}`;
}

const list = <Item>(draw: Draw, make: (draw: Draw) => Item, least = 0) =>
  Array.from({ length: least + draw.upTo(2) }, () => make(draw));
export const timeOf = (number: number) => new Date(Date.UTC(2026, 0, 1) + number).toISOString();
const someTime = (draw: Draw) => timeOf(draw.upTo(1e10));
const hex = (draw: Draw, length: number) => Array.from({ length }, () => draw.upTo(15).toString(16)).join('');

/** A finding that a policy can allow or hide only by its id and severity. */
export function findingFrom(draw: Draw, id: string, severity: Finding['severity']): Finding {
  return defined<Finding>({
    id,
    title: short(draw, 4),
    category: draw.of(['⟦owner⟧_leak', 'sql_injection', 'f_1']),
    severity,
    verification: draw.of(verifications),
    summary: prose(draw, 20),
    impact: prose(draw, 20),
    affected: defined<Finding['affected']>({
      component: prose(draw, 1),
      file: draw.maybe(() => prose(draw)),
      lineStart: draw.maybe(() => 1 + draw.upTo(900)),
      lineEnd: draw.maybe(() => 1 + draw.upTo(900)),
      route: draw.maybe(() => prose(draw)),
      origin: undefined,
    }),
    evidence: list(draw, evidenceFrom, 1),
    remediation: prose(draw, 20),
    verificationPlan: prose(draw, 10),
    taxonomy: draw.maybe(() => list(draw, () => draw.of(['CWE-79', '⟦id0⟧', '⟦other0⟧', '⟦owner⟧']))),
    corroboration: draw.maybe(() => list(draw, evidenceFrom)),
    reproduction: draw.maybe(() => prose(draw)),
    references: draw.maybe(() => list(draw, (from) => prose(from))),
    tags: draw.maybe(() => withOneTool(list(draw, () => draw.of(tagsDrawn)))),
    fingerprint: draw.maybe(() => hex(draw, 64)),
    secretReferences: draw.maybe(() =>
      list(draw, () => ({
        label: short(draw, 1),
        kind: short(draw, 1),
        fingerprint: hex(draw, 8),
        ...draw.maybe(() => ({ location: prose(draw) })),
      })),
    ),
    status: draw.maybe(() => draw.of(findingStatuses)),
    fixedAt: draw.maybe(() => someTime(draw)),
    firstSeenAt: draw.maybe(() => someTime(draw)),
    fixHistory: draw.maybe(() =>
      list(draw, () => ({
        at: someTime(draw),
        action: draw.of(fixActions),
        verified: draw.of([true, false]),
        ...draw.maybe(() => ({ changedFiles: list(draw, (from) => prose(from)) })),
        ...draw.maybe(() => ({ note: prose(draw) })),
      })),
    ),
  });
}

function evidenceFrom(draw: Draw): FindingEvidence {
  return defined<FindingEvidence>({
    kind: draw.of(evidenceKinds),
    description: prose(draw, 10),
    snippet: draw.maybe(() => prose(draw)),
    location: draw.maybe(() => prose(draw)),
    redacted: draw.maybe(() => draw.of([true, false])),
  });
}

/** A report without findings. Its summary has only the counts that do not depend on findings. */
export type Frame = Omit<CanonicalReport, 'findings' | 'summary'> & {
  readonly counts: { candidateCount?: number; duplicateCount?: number; fixedCount?: number };
};

export function frameFrom(draw: Draw): Frame {
  const count = () => draw.maybe(() => draw.upTo(500));
  return {
    schemaVersion: '1.0.0',
    localReportId: `local-${hex(draw, 12)}`,
    generatedAt: someTime(draw),
    methodologyVersion: draw.of(['1', '2.0 ⟦other0⟧', '⟦owner⟧-3']),
    project: defined<Frame['project']>({
      name: '⟦name⟧',
      repositoryUrl: 'https://⟦host⟧/⟦owner⟧/⟦repository⟧.git',
      defaultBranch: draw.maybe(() => short(draw)),
      languages: draw.maybe(() => list(draw, word)),
      fileCount: count(),
    }),
    scan: defined<Frame['scan']>({
      startedAt: someTime(draw),
      finishedAt: someTime(draw),
      effortRequested: draw.of([...effortsResolved, 'auto']),
      effortResolved: draw.of(effortsResolved),
      commit: draw.maybe(() => hex(draw, 40)),
      branch: draw.maybe(() => short(draw)),
      agent: {
        name: 'an agent',
        version: '1.2',
        ...draw.maybe(() => ({ model: draw.of(['⟦other0⟧', 'm 2']) })),
      },
      host: {
        osFamily: draw.of(['linux', 'darwin']),
        arch: draw.of(['x64', '⟦owner⟧']),
        cliVersion: '1.0.0',
      },
      tools: draw.maybe(() =>
        list(draw, () =>
          defined<NonNullable<Frame['scan']['tools']>[number]>({
            name: draw.of(['scanner', '⟦owner⟧-lint', '⟦id0⟧']),
            version: draw.maybe(() => draw.of(['1.2.3', '⟦other1⟧'])),
            findings: count(),
          }),
        ),
      ),
    }),
    authorization: defined<Frame['authorization']>({
      basis: draw.of(authorizationBases),
      scope: list(draw, (from) => prose(from)),
      grantedBy: draw.maybe(() => short(draw)),
      expiresAt: draw.maybe(() => someTime(draw)),
    }),
    coverage: list(draw, (from) => prose(from)),
    coverageAreas: list(draw, () =>
      defined<Frame['coverageAreas'][number]>({
        id: draw.of(['auth', '⟦id0⟧', '⟦owner⟧']),
        name: short(draw),
        status: draw.of(coverageStatuses),
        note: draw.maybe(() => prose(draw)),
      }),
    ),
    limitations: list(draw, (from) => prose(from)),
    redactionNotice: draw.of(['said by the client', 'said by ⟦other0⟧']),
    counts: defined<Frame['counts']>({
      candidateCount: count(),
      duplicateCount: count(),
      fixedCount: count(),
    }),
  };
}

type Undefinable<Fields> = { [Name in keyof Fields]: Fields[Name] | undefined };

/** Removes undefined properties. */
export function defined<Fields extends object>(fields: Undefinable<Fields>): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Fields;
}

export const someSeverity = (draw: Draw) => draw.of(severities);

/** A report may have each reserved tag of a finding once. */
function withOneTool(tags: readonly string[]): string[] {
  const different = [...new Set(tags)];
  const tool = different.find((tag) => tag.startsWith('tool:'));
  return different.filter((tag) => tag === tool || !tag.startsWith('tool:'));
}

const tagsDrawn = [
  'carried-status',
  '⟦id1⟧',
  '⟦owner⟧',
  'tool:an agent',
  'tool:An Agent',
  'rule:no-eval',
  'area:src',
  'identity:code:0123',
  'weak-identity',
];
