/** Valid findings and reports for tests, and arbitrary ones from the published schema. */
import type { Finding, FindingSubmission } from '@svc/contract';
import fc from 'fast-check';
import { summarize, type CanonicalReport } from '../src/model/canonical.ts';

export const AT = '2026-03-04T05:06:07.000Z';

export function submissionOf(changes: Partial<FindingSubmission> = {}): FindingSubmission {
  return {
    title: 'Order lookup trusts the id it is given',
    category: 'broken_access_control',
    severity: 'high',
    verification: 'verified',
    summary: 'Any signed-in customer reads the orders of every other customer.',
    impact: 'Names, addresses and order histories of all customers are disclosed.',
    affected: { component: 'orders api', file: 'src/orders/read.ts', lineStart: 40, lineEnd: 52 },
    evidence: [
      { kind: 'source', description: 'The handler loads the order by id alone.', snippet: 'orders.get(id)' },
    ],
    remediation: 'Load the order by id and by the account of the session.',
    verificationPlan: 'Ask for an order of another account and expect 404.',
    ...changes,
  };
}

export function findingOf(changes: Partial<Finding> = {}): Finding {
  return { id: 'F-1', ...submissionOf(), status: 'open', ...changes };
}

export function reportOf(changes: Partial<CanonicalReport> = {}): CanonicalReport {
  const findings = changes.findings ?? [findingOf()];
  return {
    schemaVersion: '1.0.0',
    localReportId: 'local-report-1',
    generatedAt: AT,
    methodologyVersion: '1',
    project: { name: 'shop' },
    scan: {
      startedAt: AT,
      finishedAt: AT,
      effortRequested: 'auto',
      effortResolved: 'high',
      agent: { name: 'agent', version: '1.0.0' },
      host: { osFamily: 'linux', arch: 'x64', cliVersion: '1.0.0' },
    },
    authorization: { basis: 'owner', scope: ['everything in the repository'] },
    summary: summarize(findings),
    findings,
    coverage: ['All handlers were read.'],
    coverageAreas: [{ id: 'auth', name: 'Authentication', status: 'covered' }],
    limitations: ['Nothing was run.'],
    ...changes,
  };
}

interface Node {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, Node>>;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly items?: Node;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, Node>>;
  readonly required?: readonly string[];
}

/** Characters of one code point each, in one or two UTF-16 units. Some form one grapheme with the character before. */
const characters = [
  'a',
  ' ',
  '"',
  '\n',
  'é',
  '\u0301',
  '\u200d',
  '界',
  '\u{1d54f}',
  '\u{1f469}',
  '\u{1f3fd}',
];

/** Well-formed text with this number of code points. */
export function textOfLength(length: number): fc.Arbitrary<string> {
  return fc
    .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 12 })
    .map((some) => Array.from({ length }, (_, index) => some[index % some.length]).join(''));
}

/** Arbitrary values of a published schema, with short lists and rarely with long texts. */
export function valuesOf(root: Node): fc.Arbitrary<unknown> {
  return visit(root);

  function visit(node: Node): fc.Arbitrary<unknown> {
    if (node.$ref !== undefined) return visit(root.$defs![node.$ref.slice('#/$defs/'.length)]!);
    if ('const' in node) return fc.constant(node.const);
    if (node.enum) return fc.constantFrom(...node.enum);
    switch (node.type) {
      case 'boolean':
        return fc.boolean();
      case 'integer':
        return fc.integer({ min: node.minimum ?? 0, max: 5000 });
      case 'string':
        return stringsOf(node);
      case 'array':
        return fc.array(visit(node.items!), {
          minLength: node.minItems ?? 0,
          maxLength: Math.min(node.maxItems ?? 3, 3),
        });
      case 'object':
        return fc.record(
          Object.fromEntries(
            Object.entries(node.properties!).map(([name, property]) => [name, visit(property)]),
          ),
          { requiredKeys: [...(node.required ?? [])], noNullPrototype: true },
        );
      default:
        throw new Error(`no values for ${JSON.stringify(node)}`);
    }
  }
}

function stringsOf(node: Node): fc.Arbitrary<string> {
  const { format, pattern, minLength = 0, maxLength = 20 } = node;
  if (format === 'date-time') {
    const noInvalidDate = true;
    const min = new Date('0001-01-01T00:00:00Z');
    const max = new Date('9999-12-31T23:59:59Z');
    return fc.date({ noInvalidDate, min, max }).map((date) => date.toISOString());
  }
  if (pattern !== undefined) {
    const fits = ({ length }: string) => length >= minLength && length <= maxLength;
    const strings = fc.stringMatching(new RegExp(pattern));
    return node.maxLength === undefined ? strings : strings.filter(fits);
  }
  return fc
    .oneof(
      { weight: 6, arbitrary: fc.integer({ min: minLength, max: Math.min(maxLength, minLength + 12) }) },
      { weight: 1, arbitrary: fc.constantFrom(minLength, maxLength) },
    )
    .chain(textOfLength);
}
