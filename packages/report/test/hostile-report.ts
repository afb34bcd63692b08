/** A valid report in which every text that a scan can choose is hostile. */
import { canaries } from './canaries.ts';
import { polyglots } from './hostile-projections.ts';
import { reportOf } from './samples.ts';
import type { CanonicalReport } from '../src/model/canonical.ts';
import { reportJsonSchema } from '../src/model/published-schema.ts';

export { polyglots } from './hostile-projections.ts';
export { htmlOfMarkdown } from './markdown-readers.ts';

interface Node {
  readonly $ref?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Node;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly $defs?: Readonly<Record<string, Node>>;
}

/** Texts for fields that are too short for the others. */
const shortPolyglots: readonly string[] = [
  `<img src=//e.test onerror=ran()>`,
  `"><svg onload=ran()>`,
  `'><script src=//e.test>`,
  `[x](javascript:ran())`,
  `![x](//e.test/x)`,
];

/** After this many turns, each field has had each text that fits into it. */
export const HOSTILE_TURNS = polyglots.length + shortPolyglots.length;

export interface HostileReport {
  readonly report: CanonicalReport;
  /** The texts by the path of their field. */
  readonly texts: ReadonlyMap<string, string>;
  /** A unique word at the end of each text, by the path of its field. A short field may have none. */
  readonly markers: ReadonlyMap<string, string>;
}

/** @param turn below HOSTILE_TURNS; each turn gives every field another text. */
export function hostileReport(localReportId: string, turn: number): HostileReport {
  const root = reportJsonSchema() as Node;
  const texts = new Map<string, string>();
  const markers = new Map<string, string>();
  // Under a policy that allows nothing every field has a canary. Each canary is replaced by a hostile text.
  const { report } = canaries(reportOf(), { version: 1 });
  return { report: { ...(visit(report, root, '') as CanonicalReport), localReportId }, texts, markers };

  function visit(value: unknown, node: Node, path: string): unknown {
    if (node.$ref !== undefined) return visit(value, root.$defs![node.$ref.slice('#/$defs/'.length)]!, path);
    if (typeof value === 'string')
      return value.includes('zqcanary') && node.pattern === undefined ? hostileText(node, path) : value;
    if (Array.isArray(value)) return value.map((item, index) => visit(item, node.items!, `${path}/${index}`));
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value);
    return Object.fromEntries(
      entries.map(([key, part]) => [key, visit(part, node.properties![key]!, `${path}/${key}`)]),
    );
  }

  function hostileText({ minLength = 0, maxLength = Infinity }: Node, path: string): string {
    const fitting = [...polyglots, ...shortPolyglots].filter(({ length }) => length <= maxLength);
    const text = fitting[(texts.size + turn) % fitting.length]!.padEnd(minLength, '.');
    const marker = `zq${texts.size}z`;
    const hasRoom = text.length + 1 + marker.length <= maxLength;
    if (hasRoom) markers.set(path, marker);
    texts.set(path, hasRoom ? `${text} ${marker}` : text);
    return texts.get(path)!;
  }
}
