/** Simulated scanners, one for each way in which real ones identify their results. */
import { createHash } from 'node:crypto';
import type { Scanner } from './scanner.ts';
import { spotsIn, type Line, type Spot, type Tree } from './tree.ts';

interface Rule {
  readonly id: string;
  readonly pattern: RegExp;
}

/** Two of the rules can report the same line. */
const rules: readonly Rule[] = [
  { id: 'unbounded-copy', pattern: /\bstrcpy\(/ },
  { id: 'shared-buffer', pattern: /\(buf,/ },
  { id: 'unbounded-format', pattern: /\bsprintf\(/ },
  { id: 'shell', pattern: /\bsystem\(/ },
];

export function isFlagged({ text }: Line): boolean {
  return rules.some(({ pattern }) => pattern.test(text));
}

interface StandIn {
  readonly name: string;
  /** The identity of a result besides rule, message and line. */
  readonly marks: (result: Marked) => { readonly result?: object; readonly region?: object };
}

interface Marked extends Spot {
  readonly rule: Rule;
  readonly lines: readonly Line[];
  /** Counts from 0, among results of the file with the same key. */
  readonly countOf: (key: string) => number;
}

const standIns: readonly StandIn[] = [
  { name: 'Plain', marks: () => ({}) },
  { name: 'Quoting', marks: ({ line }) => ({ region: { snippet: { text: line.text } } }) },
  {
    // A hash of the 100 characters from the line on, without space, numbered among equal hashes of the file.
    name: 'Hashing',
    marks: ({ lines, index, countOf }) => {
      const rest = lines.slice(index).map(({ text }) => text.replaceAll(/\s/g, ''));
      const hash = digest(rest.join('').slice(0, 100));
      const primaryLocationLineHash = `${hash}:${countOf(hash) + 1}`;
      return { result: { partialFingerprints: { primaryLocationLineHash } } };
    },
  },
  {
    // A hash that is the same for all equal lines, anywhere.
    name: 'Naming',
    marks: ({ line }) => ({
      result: { fingerprints: { 'contextHash/v1': digest(line.text.trim()) } },
      region: { snippet: { text: line.text } },
    }),
  },
  {
    // A hash of rule, path and match, numbered among equal hashes of the file.
    name: 'Counting',
    marks: ({ file, rule, line, countOf }) => {
      const hash = digest(`${rule.id} ${file} ${line.text.trim()}`);
      return { result: { fingerprints: { 'matchBasedId/v1': `${hash}_${countOf(hash)}` } } };
    },
  },
];

function logOf({ name, marks }: StandIn, tree: Tree): string {
  const counts = new Map<string, number>();
  const results = spotsIn(tree).flatMap((spot) =>
    rules.flatMap((rule) => {
      if (!rule.pattern.test(spot.line.text)) return [];
      const countOf = (key: string) => {
        const counted = `${spot.file} ${rule.id} ${key}`;
        const count = counts.get(counted) ?? 0;
        counts.set(counted, count + 1);
        return count;
      };
      const { result, region } = marks({ ...spot, rule, lines: tree.get(spot.file) ?? [], countOf });
      const physicalLocation = {
        artifactLocation: { uri: spot.file },
        region: { startLine: spot.index + 1, ...region },
      };
      return {
        ruleId: ruleIdOf(name, rule),
        level: 'error',
        message: { text: `Do not use ${rule.id}.` },
        locations: [{ physicalLocation }],
        ...result,
      };
    }),
  );
  const driver = { name, rules: rules.map((rule) => ({ id: ruleIdOf(name, rule) })) };
  return JSON.stringify({ version: '2.1.0', runs: [{ tool: { driver }, results }] });
}

/** The simulated scanners in the form that a history runs. */
export const standInScanners: readonly Scanner[] = standIns.map((standIn) => ({
  name: standIn.name,
  log: (tree) => logOf(standIn, tree),
}));

/** No two tools have a rule with the same name. */
function ruleIdOf(tool: string, { id }: Rule): string {
  return `${tool.toLowerCase()}/${id}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
