/**
 * Shortens a report to the size limit of the service. The longest texts are shortened, all to one length, the largest
 * that fits. If even the shortest texts do not fit, findings are left out: first those that their scan suppressed, then
 * the least severe. A limitation says how many texts were cut and how many findings left out. An area that lost findings
 * no longer counts as covered. The same report gives the same result, and one that fits is unchanged.
 */
import { limits, severities, verifications, type Finding } from '@svc/contract';
import { isSuppressedByScan } from '../intake/deduplication.ts';
import { countSeverities, leftOutSentence, type SeverityCounts } from '../intake/left-out.ts';
import { summarize, type CanonicalReport } from '../model/canonical.ts';
import { areasWithout } from './areas-without.ts';
import { withTexts } from './finding-texts.ts';
import { jsonBytes } from './report-json.ts';
import { isShort, MeasuredText, shortened, SHORTENED_LENGTH_MIN, shortenedSize } from './shortened.ts';
import { sizeInWords } from './size-in-words.ts';
import { utf8Length } from './utf8-length.ts';

/** What was removed so that a report fits. */
export interface SizeReduction {
  readonly sizeBytesMax: number;
  readonly textsShortened: number;
  /** In characters; null when no text was shortened. */
  readonly textLengthMax: number | null;
  readonly findingsLeftOut: number;
  readonly leftOut: SeverityCounts;
}

export interface FittedReport {
  readonly report: CanonicalReport;
  /** JSON in UTF-8. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Null if no text and no finding was lost: the report fits, or cannot be made to fit and is returned unchanged. */
  readonly fitted: SizeReduction | null;
  readonly leftOut: readonly Finding[];
}

const NOTE = 'Findings were left out so that the report fits.';

/** Redaction can make a shortened text longer than calculated. Then the next try uses a lower limit. */
const TRIES_MAX = 8;

export function fittedToSize(
  { report, bytes }: Pick<FittedReport, 'report' | 'bytes'>,
  sizeBytesMax: number,
): FittedReport {
  const unchanged = { report, bytes, fitted: null, leftOut: [] };
  if (bytes.length <= sizeBytesMax) return unchanged;
  let budget = sizeBytesMax;
  for (let tries = 0; tries < TRIES_MAX; tries += 1) {
    const attempt = attemptWith(report, sizeBytesMax, budget);
    if (attempt === undefined) break;
    const excess = attempt.bytes.length - sizeBytesMax;
    if (excess <= 0) return attempt;
    budget -= excess;
  }
  return unchanged;
}

/** Describes the reduction in one or two sentences. */
export function fittedSentence({
  sizeBytesMax,
  textsShortened,
  textLengthMax,
  leftOut,
  findingsLeftOut,
}: SizeReduction) {
  const reason = `the size limit of a report is ${sizeInWords(sizeBytesMax)}`;
  const count = textsShortened.toLocaleString('en');
  const texts = textsShortened === 1 ? '1 text' : `${count} texts`;
  return [
    ...(textLengthMax === null
      ? []
      : [`${texts} shortened to ${textLengthMax.toLocaleString('en')} characters: ${reason}.`]),
    ...(findingsLeftOut === 0 ? [] : [leftOutSentence(leftOut, 'finding', reason)]),
  ].join(' ');
}

/** @returns undefined when not even one finding fits. */
function attemptWith(
  report: CanonicalReport,
  sizeBytesMax: number,
  budget: number,
): FittedReport | undefined {
  const room = budget - jsonBytes(framed(report, report.findings, sizeBytesMax)).length;
  const { kept, used } = keptWithin(report.findings, room);
  if (kept.length === 0) return undefined;
  const isKept = new Set(kept);
  const leftOut = report.findings.filter((finding) => !isKept.has(finding));
  const textLengthMax = lengthWithin(kept, room - used);
  const { findings, count } = withShortTexts(kept, textLengthMax);
  const fitted: SizeReduction = {
    sizeBytesMax,
    textsShortened: count,
    textLengthMax: count === 0 ? null : textLengthMax,
    findingsLeftOut: leftOut.length,
    leftOut: countSeverities(leftOut),
  };
  const made = finished(report, findings, leftOut, fitted);
  return { report: made, bytes: jsonBytes(made), fitted, leftOut };
}

/** The report without findings, with everything else at the largest size that leaving findings out can give it. */
function framed(report: CanonicalReport, leftOut: readonly Finding[], sizeBytesMax: number): CanonicalReport {
  const fitted: SizeReduction = {
    sizeBytesMax,
    textsShortened: Number.MAX_SAFE_INTEGER,
    textLengthMax: limits.finding.snippetLengthMax,
    findingsLeftOut: leftOut.length,
    leftOut: countSeverities(leftOut),
  };
  const { summary, ...rest } = finished(report, [], leftOut, fitted);
  return { ...rest, summary: { ...report.summary, ...summary, findingCount: report.summary.findingCount } };
}

interface Kept {
  readonly kept: readonly Finding[];
  /** The size of the kept findings if all their texts are shortened to the minimum. */
  readonly used: number;
}

/** Keeps as many findings as fit if all texts are shortened to the minimum: the most important, in report order. */
function keptWithin(findings: readonly Finding[], room: number): Kept {
  let used = 0;
  const kept = new Set<Finding>();
  for (const finding of mostImportantFirst(findings)) {
    const size = sizeWith(finding, SHORTENED_LENGTH_MIN);
    if (used + size > room) break;
    used += size;
    kept.add(finding);
  }
  const isWhole = kept.size === findings.length;
  return { kept: isWhole ? findings : findings.filter((finding) => kept.has(finding)), used };
}

/**
 * Sorts by severity, then by strength of proof, then by their order in the report; those that their scan suppressed are
 * last.
 */
function mostImportantFirst(findings: readonly Finding[]): Finding[] {
  const rank = (finding: Finding) =>
    (isSuppressedByScan(finding) ? severities.length * verifications.length : 0) +
    severities.indexOf(finding.severity) * verifications.length +
    verifications.indexOf(finding.verification);
  return findings.toSorted((one, other) => rank(one) - rank(other));
}

/**
 * The largest text length with which all findings fit.
 *
 * @param room the bytes that remain if all texts are shortened to the minimum
 */
function lengthWithin(findings: readonly Finding[], room: number): number {
  let fits = SHORTENED_LENGTH_MIN;
  let tooLong = limits.finding.snippetLengthMax + 1;
  const texts: MeasuredText[] = [];
  let shortest = 0;
  for (const finding of findings) {
    withTexts(finding, (text) => {
      if (isShort(text, SHORTENED_LENGTH_MIN)) return text;
      const measured = new MeasuredText(text);
      shortest += measured.sizeWithin(SHORTENED_LENGTH_MIN);
      texts.push(measured);
      return text;
    });
  }
  while (tooLong - fits > 1) {
    const length = Math.floor((fits + tooLong) / 2);
    let used = -shortest;
    for (const text of texts) {
      used += text.sizeWithin(length);
      if (used > room) break;
    }
    if (used <= room) fits = length;
    else tooLong = length;
  }
  return fits;
}

/** The bytes of a finding as an item of a list, including the comma. */
function sizeWith(finding: Finding, textLengthMax: number): number {
  let ofTexts = 0;
  const bare = withTexts(finding, (text) => {
    ofTexts += shortenedSize(text, textLengthMax) - 2;
    return '';
  });
  return utf8Length(JSON.stringify(bare)) + ofTexts + 1;
}

function withShortTexts(findings: readonly Finding[], lengthMax: number) {
  let count = 0;
  const change = (text: string) => {
    const short = shortened(text, lengthMax);
    if (short !== text) count += 1;
    return short;
  };
  return { findings: findings.map((finding) => withTexts(finding, change)), count };
}

function finished(
  report: CanonicalReport,
  findings: CanonicalReport['findings'],
  leftOut: readonly Finding[],
  fitted: SizeReduction,
): CanonicalReport {
  const { candidateCount, duplicateCount, fixedCount } = report.summary;
  const fixed = findings.filter(({ status }) => status === 'fixed_verified').length;
  const { limitations } = report;
  return {
    ...report,
    summary: summarize(findings, {
      ...(candidateCount !== undefined && { candidateCount }),
      ...(duplicateCount !== undefined && { duplicateCount }),
      ...(fixedCount !== undefined && { fixedCount: fixed }),
    }),
    findings,
    coverageAreas: areasWithout(report.coverageAreas, leftOut, { agent: report.scan.agent.name, note: NOTE }),
    limitations: [...limitations.slice(0, limits.report.limitationsMax - 1), fittedSentence(fitted)],
  };
}
