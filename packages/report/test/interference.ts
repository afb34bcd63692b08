/**
 * Tests of what a share must not show use pairs of reports that differ only in parts that a policy hides, and reports
 * with a canary in every hidden part. Everything made of a projection (a page, an export, a response) must have the
 * same bytes for both reports of a pair, and must contain no canary.
 *
 * left-out.ts decides what is hidden, independently of the code under test. Reports are valid and contain no secret.
 *
 * Two hidden things do affect a share by design. An anonymized share redacts the project's names, its repository and
 * the origins of the remaining findings. A narrowed share renumbers mentions of the remaining findings by their ids. So
 * the reports of a pair may have different names and ids there, at the same positions of their texts.
 */
import {
  principalTypes,
  sectionIds,
  selectionModes,
  severities,
  type Finding,
  type Severity,
  type SharePolicy,
} from '@svc/contract';
import fc from 'fast-check';
import { summarize, type CanonicalReport } from '../src/model/canonical.ts';
import type { ProjectionViewer, ProjectionPolicy } from '../src/projection/projection.ts';
import { findingWithHidden, frameWithHidden, shownUnder, type Shows } from './left-out.ts';
import {
  createDraw,
  findingFrom,
  frameFrom,
  render,
  someSeverity,
  type Draw,
  type Frame,
  type World,
} from './report-blueprint.ts';

export { canaries, type WithCanaries } from './canaries.ts';
export { canariesIn } from './canary-spellings.ts';

export interface InterferencePair {
  readonly report: CanonicalReport;
  /** Equal to `report` under the policy, with the keys of its objects in another order. */
  readonly other: CanonicalReport;
  readonly policy: SharePolicy;
  readonly projectedFor: ProjectionViewer;
  readonly sharing: ProjectionPolicy;
}

const ids = ['F-1', 'F-2', 'F-3', 'F-03', 'F-12', 'F-40', 'VULN-1', 'VULN-9', 'A-1', 'ABCDEFGH-1234567'];

/** Policies of every kind, most of which allow enough to be worth testing. */
export function sharePolicies(): fc.Arbitrary<SharePolicy> {
  const rarely = { requiredKeys: [] as [], noNullPrototype: true };
  const mostly = fc.integer({ min: 0, max: 4 }).map((number) => number > 0);
  const mode = fc.constantFrom(...selectionModes);
  const sections = fc.oneof(
    fc.constant({ mode: 'allow_all' as const }),
    fc.record({ mode, ids: fc.subarray([...sectionIds, 'unknown']) }, rarely),
  );
  const findings = fc.oneof(
    fc.constant({ mode: 'allow_all' as const }),
    fc.record(
      { mode, ids: fc.subarray([...ids, 'unknown']), maxSeverity: fc.constantFrom(...severities) },
      rarely,
    ),
    fc.record({ mode: fc.constant('allow_all' as const), maxSeverity: fc.constantFrom(...severities) }),
    fc.record({ mode: fc.constant('allow_all' as const), minSeverity: fc.constantFrom(...severities) }),
  );
  const fields = fc.record(
    { evidence: mostly, code: mostly, reproduction: mostly, remediation: mostly, metadata: mostly },
    rarely,
  );
  return fc.record(
    { version: fc.constant(1 as const), sections, findings, fields, anonymize: fc.boolean() },
    { requiredKeys: ['version', 'findings', 'sections'], noNullPrototype: true },
  );
}

export function interferencePairs(): fc.Arbitrary<InterferencePair> {
  const projectedFor = fc.record(
    { principalType: fc.constantFrom(...principalTypes), label: fc.constantFrom('Ada', 'the board') },
    { requiredKeys: ['principalType'], noNullPrototype: true },
  );
  const seed = fc.integer();
  return fc
    .record({ policy: sharePolicies(), projectedFor, seed, otherSeed: seed, count: fc.nat(4) })
    .map(({ policy, ...drawn }) => ({
      ...reportsOf(policy, drawn),
      policy,
      projectedFor: { reportId: `rep_${'0'.repeat(26)}`, projectedFor: drawn.projectedFor },
      sharing: { policy, projectNames: [SERVICE_NAME], pseudonymOf: fakePseudonym },
    }));
}

/** A hash of the fingerprint, so that pseudonyms differ and reveal nothing. */
function fakePseudonym(fingerprint: string): string {
  let hash = 7;
  for (const character of fingerprint) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(16).padStart(8, '0').repeat(8);
}

function reportsOf(policy: SharePolicy, drawn: { seed: number; otherSeed: number; count: number }) {
  const shows = shownUnder(policy);
  const [draw, otherDraw] = [createDraw(drawn.seed), createDraw(drawn.otherSeed)];
  const kept = keptFindings(draw, shows, drawn.count);
  const frame = frameFrom(draw);
  const world = worldOf(kept.map(({ id }) => id));
  const otherWorld = otherWorldOf(world, kept, policy);
  const otherIds = ids.filter((id) => !world.ids.includes(id) && !otherWorld.ids.includes(id));
  const otherKept = otherKeptFindings(otherDraw, { kept, shows, policy, ids: otherWorld.ids });
  const otherFrame = frameFrom(otherDraw);
  const project = shows.anonymize ? { ...otherFrame.project, ...namesOf(frame) } : otherFrame.project;
  const hidden = (from: Draw, { ids: used }: World) => hiddenFindings(from, policy, used);
  const report = render(woven(draw, frame, kept, hidden(draw, world)), { ...world, otherIds });
  const blueprint = woven(
    otherDraw,
    frameWithHidden(frame, { ...otherFrame, project }, shows),
    otherKept,
    hidden(otherDraw, { ...otherWorld, ids: [...otherWorld.ids, ...otherKept.map(({ id }) => id)] }),
  );
  return { report, other: reordered(render(blueprint, { ...otherWorld, otherIds })) };
}

function namesOf({ project: { name, repositoryUrl } }: Frame) {
  return { name, ...(repositoryUrl !== undefined && { repositoryUrl }) };
}

/** Findings that the policy allows. */
function keptFindings(draw: Draw, shows: Shows, count: number): Finding[] {
  const found: Finding[] = [];
  for (let tries = 3 * count; tries > 0 && found.length < count; tries -= 1) {
    const [id, severity] = [draw.of(ids), someSeverity(draw)];
    if (!shows.finding(id, severity) || found.some((finding) => finding.id === id)) continue;
    found.push(withOrigin(findingFrom(draw, id, severity), draw, found.length));
  }
  return found;
}

function withOrigin(finding: Finding, draw: Draw, index: number): Finding {
  const origin = draw.of([
    undefined,
    `https://⟦origin${index}⟧:8443/a`,
    `⟦origin${index}⟧`,
    `wss://someone@⟦origin${index}⟧?b`,
  ]);
  return origin === undefined ? finding : { ...finding, affected: { ...finding.affected, origin } };
}

const SERVICE_NAME = 'Corvid Desk';

function worldOf(keptIds: readonly string[]): World {
  return {
    ids: keptIds,
    otherIds: ids,
    name: 'Quokka Forge',
    service: SERVICE_NAME,
    host: 'code.zephyr.example',
    owner: 'tanglewood',
    repository: 'mossy-lane',
    origins: keptIds.map((_, index) => `api${index}.brindle.test`),
  };
}

/**
 * A world with another project and other ids, as far as the policy hides them. No term ends with the beginning of
 * another one; otherwise two adjacent terms would be found as one.
 */
function otherWorldOf(world: World, kept: readonly Finding[], policy: SharePolicy): World {
  const shows = shownUnder(policy);
  const isListed = shows.section('findings');
  const isByNumber =
    shows.narrows && isListed && (policy.findings?.mode ?? 'allow_listed') !== 'allow_listed';
  const renamed = {
    name: 'Ōkami',
    host: 'vcs.lumen.example',
    owner: 'hollowbrook',
    repository: 'fern.gate',
  };
  return {
    ...world,
    ...(shows.anonymize && renamed),
    ids: isByNumber
      ? world.ids.map((id, index) => `${id.slice(0, id.indexOf('-'))}-${555 + index}`)
      : world.ids,
    origins: world.origins.map((origin, index) =>
      shows.anonymize && isListed && kept[index]?.affected.origin !== undefined
        ? `h${index}-x.sable.test`
        : origin,
    ),
  };
}

interface OtherKept {
  readonly kept: readonly Finding[];
  readonly shows: Shows;
  readonly policy: SharePolicy;
  readonly ids: readonly string[];
}

function otherKeptFindings(draw: Draw, { kept, shows, policy, ids: otherIds }: OtherKept): Finding[] {
  if (shows.section('findings')) {
    return kept.map((finding, index) => {
      const hidden = findingFrom(draw, finding.id, finding.severity);
      const origin = finding.affected.origin ?? draw.maybe(() => 'https://unmentioned.example');
      const affected = { ...hidden.affected, ...(origin !== undefined && { origin }) };
      return { ...findingWithHidden(finding, { ...hidden, affected }, shows), id: otherIds[index]! };
    });
  }
  // Without the list, a share shows only counts of findings by severity and verification, in the summary.
  const isByList = (policy.findings?.mode ?? 'allow_listed') === 'allow_listed';
  const others = kept.map((finding, index) => {
    const id = isByList ? finding.id : `OTHER-${index}`;
    const other = withOrigin(findingFrom(draw, id, finding.severity), draw, 1);
    return { ...other, verification: finding.verification };
  });
  return shows.section('summary') ? others.toReversed() : others.slice(draw.upTo(2));
}

/** Findings that the policy hides by their id or severity. */
function hiddenFindings(draw: Draw, policy: SharePolicy, used: readonly string[]): Finding[] {
  const shows = shownUnder(policy);
  const found: Finding[] = [];
  for (let tries = 2 * draw.upTo(4); tries > 0; tries -= 1) {
    const id = draw.of([...ids, 'HIDDEN-7', 'F-7000000']);
    const severity: Severity = someSeverity(draw);
    if (shows.finding(id, severity) || used.includes(id) || found.some((finding) => finding.id === id))
      continue;
    const finding = findingFrom(draw, id, severity);
    finding.affected.origin = draw.of(['https://shadow.example', 'https://⟦origin0⟧', 'http://handler']);
    found.push(finding);
  }
  return found;
}

/** The kept findings in their order, with the hidden ones at random positions. */
function woven(
  draw: Draw,
  { counts, ...frame }: Frame,
  kept: readonly Finding[],
  hidden: readonly Finding[],
): CanonicalReport {
  const findings = [...kept];
  for (const finding of hidden) findings.splice(draw.upTo(findings.length), 0, finding);
  return { ...frame, summary: summarize(findings, counts), findings };
}

/** Reverses the keys of every object. */
function reordered<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map((item: unknown) => reordered(item)) as Value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Record<string, unknown>).toReversed();
  return Object.fromEntries(entries.map(([name, field]) => [name, reordered(field)])) as Value;
}
