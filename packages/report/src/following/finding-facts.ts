/**
 * Finding facts: what the service keeps in addition to the snapshots of a report. From them it knows which findings are
 * present, and can record a decision about a finding without reading the report body. They hold enum values, times and
 * keyed digests, but no text.
 */
import type { FixAction } from '@svc/contract';
import { fixActions } from '@svc/contract';
import { hmacSha256Under } from '../identity/sha256.ts';
import type { RecordedReport } from '../model/canonical.ts';
import { toolAreaId } from '../reading/coverage.ts';
import { areasOf, folded, toolOfFinding } from '../reading/looked-again.ts';
import type { RecordedFinding } from '../reading/recorded-finding.ts';
import { ByteReader, ByteWriter } from './packed-bytes.ts';

export const DIGEST_BYTES = 16;

/** An entry of the fix history, without its texts. */
export interface FixStep {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly action: FixAction;
  readonly verified: boolean;
}

/** A decision from an earlier report. */
export interface CarriedDecision {
  /** The number of the decision in the project. */
  readonly number: number;
  /** When the decision lapses; null if it does not. */
  readonly until: number | null;
}

export interface FindingFacts {
  /** Keyed digest of the name of the finding's tool, or of the agent if the finding names no tool. */
  readonly tool: Uint8Array;
  /**
   * Keyed digests of the areas that must be covered before the finding counts as fixed: its tool's, and those in its
   * tags.
   */
  readonly areas: readonly Uint8Array[];
  readonly fixedAt: number | null;
  readonly fixSteps: readonly FixStep[];
  readonly carried: CarriedDecision | null;
}

/** What decides whether a finding of an earlier report that is missing in this scan counts as fixed. */
export interface ScanFacts {
  /** The scan is of a branch other than the default one, so it does not change the project. */
  readonly isOfOtherBranch: boolean;
  /** Keyed digests of the names of the scan's tools and its agent. */
  readonly ran: readonly Uint8Array[];
  /** Keyed digests of the areas that the scan did not cover completely. */
  readonly missed: readonly Uint8Array[];
}

export interface ReportFacts {
  readonly scan: ScanFacts;
  /** In the order of the report. */
  readonly findings: readonly FindingFacts[];
}

/** @param key of the project */
export function factsOf(
  {
    project,
    scan,
    findings,
    coverageAreas,
  }: Pick<RecordedReport, 'project' | 'scan' | 'findings' | 'coverageAreas'>,
  key: Uint8Array,
): ReportFacts {
  const digests = new Digests(key);
  const isOfOtherBranch =
    scan.branch !== undefined && project.defaultBranch !== undefined && scan.branch !== project.defaultBranch;
  return {
    scan: {
      isOfOtherBranch,
      ran: [...(scan.tools ?? []), scan.agent].map(({ name }) => digests.tool(name)),
      missed: coverageAreas.filter(({ status }) => status !== 'covered').map(({ id }) => digests.area(id)),
    },
    findings: findings.map((finding) => {
      const tool = toolOfFinding(finding, scan.agent.name);
      return {
        tool: digests.tool(tool),
        areas: [toolAreaId(tool), ...areasOf(finding)].map((id) => digests.area(id)),
        fixedAt: finding.fixedAt === undefined ? null : Date.parse(finding.fixedAt),
        fixSteps: fixStepsOf(finding),
        carried: null,
      };
    }),
  };
}

function fixStepsOf({ fixHistory = [] }: RecordedFinding): FixStep[] {
  return fixHistory.map(({ at, action, verified }) => ({ at: Date.parse(at), action, verified }));
}

/** The digest of a tool's name, as in facts. */
export function toolDigest(name: string, key: Uint8Array): Uint8Array {
  return new Digests(key).tool(name);
}

/** Digests under a key, each computed once. A class, because V8 would compile closures again for each report. */
class Digests {
  readonly #hmac: (bytes: Uint8Array) => Uint8Array;
  readonly #known = new Map<string, Uint8Array>();

  constructor(key: Uint8Array) {
    this.#hmac = hmacSha256Under(key);
  }

  tool(name: string): Uint8Array {
    return this.#of(`tool ${folded(name)}`);
  }

  area(id: string): Uint8Array {
    return this.#of(`area ${folded(id)}`);
  }

  #of(text: string): Uint8Array {
    const known = this.#known.get(text);
    if (known !== undefined) return known;
    const digest = new Uint8Array(this.#hmac(Buffer.from(text)).subarray(0, DIGEST_BYTES));
    this.#known.set(text, digest);
    return digest;
  }
}

/** Whether a scan looked again for a finding that it no longer has. The rule is the same as in looked-again.ts. */
export function lookedAgainFor(scan: Pick<ScanFacts, 'ran' | 'missed'>) {
  const ran = new Set(scan.ran.map(digestKey));
  const missed = new Set(scan.missed.map(digestKey));
  return ({ tool, areas }: Pick<FindingFacts, 'tool' | 'areas'>) =>
    ran.has(digestKey(tool)) && !areas.some((area) => missed.has(digestKey(area)));
}

function digestKey({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
}

const VERSION = 1;
const FLAGS = { fixed: 1, steps: 2, carried: 4, lapsing: 8 } as const;
const VERIFIED = 8;

/**
 * A version byte; the facts of the scan; the digests of tools and areas; the facts of each finding with their length.
 */
export function packedFacts({ scan, findings }: ReportFacts): Uint8Array {
  const writer = new ByteWriter();
  writer.byte(VERSION);
  writer.byte(scan.isOfOtherBranch ? 1 : 0);
  const numbers = new Map<string, number>();
  const digests: Uint8Array[] = [];
  const numberOf = (digest: Uint8Array) => {
    const key = digestKey(digest);
    const known = numbers.get(key);
    if (known !== undefined) return known;
    numbers.set(key, digests.length);
    digests.push(digest);
    return digests.length - 1;
  };
  const [packed, packedOne] = [new ByteWriter(), new ByteWriter()];
  for (const finding of findings) {
    writeFinding(packedOne, finding, numberOf);
    packed.take(packedOne);
  }
  for (const list of [scan.ran, scan.missed, digests]) {
    writer.count(list.length);
    for (const digest of list) writer.bytes(digest);
  }
  writer.bytes(packed.finish());
  return writer.finish();
}

function writeFinding(
  writer: ByteWriter,
  { tool, areas, fixedAt, fixSteps, carried }: FindingFacts,
  numberOf: (digest: Uint8Array) => number,
): void {
  writer.byte(
    (fixedAt === null ? 0 : FLAGS.fixed) |
      (fixSteps.length === 0 ? 0 : FLAGS.steps) |
      (carried === null ? 0 : FLAGS.carried) |
      (typeof carried?.until === 'number' ? FLAGS.lapsing : 0),
  );
  writer.count(numberOf(tool));
  writer.count(areas.length);
  for (const area of areas) writer.count(numberOf(area));
  if (fixedAt !== null) writer.time(fixedAt);
  if (fixSteps.length > 0) writer.count(fixSteps.length);
  for (const { at, action, verified } of fixSteps) {
    writer.time(at);
    writer.byte(fixActions.indexOf(action) | (verified ? VERIFIED : 0));
  }
  if (carried !== null) writer.count(carried.number);
  if (typeof carried?.until === 'number') writer.time(carried.until);
}

/** @throws TypeError for bytes that `packedFacts` did not write. */
export function unpackedFacts(bytes: Uint8Array): ReportFacts {
  const { reader, scan, digestAt } = headOf(bytes);
  const findings: FindingFacts[] = [];
  while (!reader.isAtEnd) {
    reader.count();
    findings.push(findingIn(reader, digestAt));
  }
  return { scan, findings };
}

/** The facts of the scan alone. @throws TypeError as `unpackedFacts` does. */
export function scanFactsIn(bytes: Uint8Array): ScanFacts {
  return headOf(bytes).scan;
}

/** The facts of some findings, by their position in the report. The others are skipped. */
export function factsAt(bytes: Uint8Array, places: ReadonlySet<number>): Map<number, FindingFacts> {
  const { reader, digestAt } = headOf(bytes);
  const found = new Map<number, FindingFacts>();
  for (let place = 0; found.size < places.size && !reader.isAtEnd; place += 1) {
    const length = reader.count();
    if (places.has(place)) found.set(place, findingIn(reader, digestAt));
    else reader.skip(length);
  }
  return found;
}

function headOf(bytes: Uint8Array) {
  const reader = new ByteReader(bytes);
  if (bytes[0] !== VERSION) throw new TypeError('The facts of the findings are of an unknown version.');
  reader.byte();
  const isOfOtherBranch = reader.byte() === 1;
  const [ran = [], missed = [], digests = []] = [0, 1, 2].map(() =>
    Array.from({ length: reader.count() }, () => reader.bytes(DIGEST_BYTES)),
  );
  const digestAt = (number: number): Uint8Array => {
    const digest = digests[number];
    if (!digest) throw new TypeError('The facts of the findings are damaged.');
    return digest;
  };
  return { reader, scan: { isOfOtherBranch, ran, missed }, digestAt };
}

function findingIn(reader: ByteReader, digestAt: (number: number) => Uint8Array): FindingFacts {
  const flags = reader.byte();
  const tool = digestAt(reader.count());
  const areas = Array.from({ length: reader.count() }, () => digestAt(reader.count()));
  const fixedAt = (flags & FLAGS.fixed) === 0 ? null : reader.time();
  const steps = (flags & FLAGS.steps) === 0 ? 0 : reader.count();
  const fixSteps = Array.from({ length: steps }, () => {
    const at = reader.time();
    const byte = reader.byte();
    const action = fixActions[byte & ~VERIFIED];
    if (action === undefined) throw new TypeError('The facts of the findings are damaged.');
    return { at, action, verified: (byte & VERIFIED) !== 0 };
  });
  if ((flags & FLAGS.carried) === 0) return { tool, areas, fixedAt, fixSteps, carried: null };
  const number = reader.count();
  const until = (flags & FLAGS.lapsing) === 0 ? null : reader.time();
  return { tool, areas, fixedAt, fixSteps, carried: { number, until } };
}
