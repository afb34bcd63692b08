/**
 * What lists over many reports show of each finding, in the order of the report, and the names of the tools. It is much
 * smaller than a report body, so a list reads no bodies. The texts are encrypted under the key of their report and
 * deleted with it.
 */
import { verifications, type Verification } from '@svc/contract';
import { isToolArea, toolOfArea, type Area } from '../reading/coverage.ts';
import { folded } from '../reading/looked-again.ts';
import type { RecordedFinding } from '../reading/recorded-finding.ts';
import { ruleIn } from '../reading/tags.ts';

export interface FindingText {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly verification: Verification;
  readonly component: string;
  readonly file?: string;
  readonly lineStart?: number;
  /** The rule of an imported finding. */
  readonly rule?: string;
}

export interface ReportTexts {
  readonly findings: readonly FindingText[];
  /** The names of the scan's tools and of its agent. */
  readonly tools: readonly string[];
  /** The names of the tools whose results the report says it lacks. */
  readonly missingTools: readonly string[];
}

interface Named {
  readonly name: string;
}

/** The part of a report that its texts are made from. */
interface Listable {
  readonly scan: { readonly tools?: readonly Named[]; readonly agent: Named };
  readonly findings: readonly RecordedFinding[];
  readonly coverageAreas: readonly Pick<Area, 'id' | 'status'>[];
}

export function reportTextsOf({ scan, findings, coverageAreas }: Listable): ReportTexts {
  const names = [...(scan.tools ?? []), scan.agent].map(({ name }) => name);
  const tools = [...Map.groupBy(names, folded).values()].flatMap((same) => same.slice(0, 1));
  const missingTools = coverageAreas
    .filter((area) => isToolArea(area) && area.status === 'not_covered')
    .map((area) => toolOfArea(area));
  return { findings: findingTextsOf(findings), tools, missingTools };
}

export function findingTextsOf(findings: readonly RecordedFinding[]): FindingText[] {
  return findings.map(({ id, title, category, verification, affected, tags }) => {
    const { component, file, lineStart } = affected;
    const rule = ruleIn(tags);
    return {
      id,
      title,
      category,
      verification,
      component,
      ...(file ? { file } : {}),
      ...(lineStart === undefined ? {} : { lineStart }),
      ...(rule === undefined ? {} : { rule }),
    };
  });
}

const VERSION = 1;

/** A text as stored: id, title, category, verification and component; then file, line and rule, 0 for a missing one. */
type StoredText = readonly [string, string, string, number, string, string | 0, number, string | 0];

/** The texts as JSON, without the names of their fields. */
export function packedTexts({ findings, tools, missingTools }: ReportTexts): string {
  const stored = findings.map((text): StoredText => {
    const { id, title, category, verification, component, file = 0, lineStart = 0, rule = 0 } = text;
    return [id, title, category, verifications.indexOf(verification), component, file, lineStart, rule];
  });
  return JSON.stringify([VERSION, stored, tools, missingTools]);
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** @throws SyntaxError if the text is not JSON, and TypeError for an unknown version or verification. */
export function unpackedTexts(json: string): ReportTexts {
  const [version, stored, tools, missingTools] = JSON.parse(json) as [
    unknown,
    readonly StoredText[],
    readonly string[],
    readonly string[],
  ];
  if (version !== VERSION) throw new TypeError('The texts of the findings are of an unknown version.');
  const findings = stored.map(
    ([id, title, category, verificationIndex, component, file, lineStart, rule]) => {
      const verification = verifications[verificationIndex];
      if (verification === undefined) throw new TypeError('The texts of the findings are damaged.');
      // Written field by field: spreading costs more than parsing.
      const text: Writable<FindingText> = { id, title, category, verification, component };
      if (file !== 0) text.file = file;
      if (lineStart !== 0) text.lineStart = lineStart;
      if (rule !== 0) text.rule = rule;
      return text;
    },
  );
  return { findings, tools, missingTools };
}

/**
 * The text that a search term must occur in: everything that is searched, case-folded.
 * A line break separates the parts, and no term contains one.
 */
export function searchTextOf({ title, category, component, file, rule }: FindingText): string {
  return foldedCase([title, category, component, file ?? '', rule ?? ''].join('\n'));
}

/** The terms of a search, case-folded. */
export function searchTermsOf(search: string): string[] {
  return foldedCase(search)
    .split(/\s+/u)
    .filter((term) => term !== '');
}

const ASCII = /^[\0-\x7F]*$/;

/** Upper case first, since some letters have several lower-case forms. */
function foldedCase(text: string): string {
  return ASCII.test(text) ? text.toLowerCase() : text.normalize('NFC').toUpperCase().toLowerCase();
}
