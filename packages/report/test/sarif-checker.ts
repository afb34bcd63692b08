/**
 * Compares an import with its log, result by result and field by field. It shares no code with the import: its
 * expectations are a second implementation of the standard.
 *
 * Findings are in the order of their results, so each is matched with the next result that fits. The number of results
 * without a finding must equal the number that the warnings report.
 */
import type { SarifImport } from '../src/sarif/import.ts';

// oxlint-disable-next-line no-explicit-any -- a log is read as it is
type Json = Record<string, any>;
type Imported = SarifImport['findings'][number];

const list = (value: unknown): Json[] =>
  Array.isArray(value) ? value.map((item: unknown) => (isObject(item) ? item : {})) : [];
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

interface Context {
  readonly run: Json;
  readonly result: Json;
  readonly rule: Json;
  readonly finding: Imported;
}

/** The differences as sentences; empty if the import lost nothing. */
export function differences(log: string, imported: SarifImport): string[] {
  const runs = list((JSON.parse(log.replace(/^\ufeff/, '')) as Json)['runs']);
  const results = runs.flatMap((run) => list(run['results']).map((result) => ({ run, result })));
  const found: string[] = [];
  const lost = { steps: 0, locations: 0, references: 0 };
  let at = 0;
  for (const [number, finding] of imported.findings.entries()) {
    while (at < results.length && !isSame(results[at]!, finding)) at += 1;
    const match = results[at];
    if (match === undefined) return [...found, `finding ${number}: no result says this`];
    at += 1;
    const context = { ...match, rule: ruleOf(match.run, match.result), finding };
    for (const check of checks) found.push(...check(context).map((fault) => `finding ${number}: ${fault}`));
    count(context, lost);
  }
  const leftOut = reportedCount(imported, /^(\d+) results? left out/);
  if (results.length - imported.findings.length !== leftOut)
    found.push(`${results.length} results, ${imported.findings.length} findings, ${leftOut} left out`);
  for (const [what, expression] of Object.entries(warnings)) {
    const reported = reportedCount(imported, expression);
    const missingCount = lost[what as keyof typeof lost];
    if (missingCount !== reported)
      found.push(`${missingCount} ${what} are missing, ${reported} are reported as missing`);
  }
  return found;
}

const warnings = {
  steps: /^(\d+) steps? of code flows left out/,
  locations: /^(\d+) locations? of results left out/,
  references: /^(\d+) references? left out/,
};

function reportedCount({ warnings: sentences }: SarifImport, expression: RegExp): number {
  return sentences
    .map((sentence) => Number(expression.exec(sentence)?.[1] ?? 0))
    .reduce((sum, found) => sum + found, 0);
}

function isSame({ run, result }: { run: Json; result: Json }, finding: Imported): boolean {
  if (['pass', 'notApplicable', 'informational'].includes(result['kind'])) return false;
  if (result['baselineState'] === 'absent') return false;
  const id = idOf(run, result);
  const tag = (finding.tags ?? []).find((each) => each.startsWith('rule:'));
  if (!isRedacted(finding) && id !== undefined && id.length < 70 && tag !== `rule:${id}`) return false;
  const uri = uriOf(run, locationOf(result));
  const { file } = finding.affected;
  const isElsewhere = uri !== undefined && file !== undefined && lastName(uri) !== lastName(file);
  if (!isRedacted(finding) && isElsewhere && !/^https?:/i.test(uri)) return false;
  const { startLine } = regionOf(result);
  return isLine(startLine) ? finding.affected.lineStart === startLine : true;
}

const isRedacted = (finding: Imported) => JSON.stringify(finding).includes('[redacted');
const isLine = (value: unknown): value is number => Number.isInteger(value) && (value as number) > 0;
const locationOf = (result: Json): Json => list(result['locations'])[0] ?? {};
const regionOf = (result: Json): Json => physicalOf(locationOf(result))['region'] ?? {};
const physicalOf = (location: Json): Json =>
  isObject(location['physicalLocation']) ? location['physicalLocation'] : {};

function componentOf(run: Json, result: Json): Json {
  const reference: Json = result['rule']?.['toolComponent'] ?? {};
  const extensions = list(run['tool']?.['extensions']);
  return extensions[reference['index'] as number] ?? run['tool']?.['driver'] ?? {};
}

function idOf(run: Json, result: Json): string | undefined {
  const given = [result['ruleId'], result['rule']?.['id']].find(isText);
  return given ?? [list(componentOf(run, result)['rules'])[indexIn(result)]?.['id']].find(isText);
}

const indexIn = (result: Json): number => result['rule']?.['index'] ?? result['ruleIndex'] ?? -1;

/**
 * Finds the rule by its index if it has the id of the result, otherwise by the id in any component, otherwise by the
 * part of the id before its last slash.
 */
function ruleOf(run: Json, result: Json): Json {
  const id = idOf(run, result);
  const own = list(componentOf(run, result)['rules']);
  const numbered = own[indexIn(result)];
  const isOf = (rule: Json | undefined) =>
    rule !== undefined && (id === undefined || id === rule['id'] || id.startsWith(`${rule['id']}/`));
  if (isOf(numbered)) return numbered!;
  const driver: Json = run['tool']?.['driver'] ?? {};
  const components = [componentOf(run, result), driver, ...list(run['tool']?.['extensions'])];
  const rules = components.map((component) => list(component['rules']));
  for (const named of rules) {
    const found =
      named.find((rule) => rule['id'] === id) ??
      named.find((rule) => id !== undefined && rule['id'] === id.slice(0, Math.max(0, id.lastIndexOf('/'))));
    if (found) return found;
  }
  return numbered ?? {};
}

type Check = (context: Context) => string[];

const differs = (what: string, expected: unknown, given: unknown): string[] =>
  expected === given ? [] : [`${what} is ${JSON.stringify(given)} and not ${JSON.stringify(expected)}`];

const toolTag: Check = ({ run, finding }) => {
  const name = [run['tool']?.['driver']?.['name'], run['tool']?.['driver']?.['fullName']].find(isText);
  return name === undefined || name.length > 70
    ? []
    : differs('the tag of the tool', true, finding.tags?.includes(`tool:${name.trim()}`) ?? false);
};

const SECRETS = /gitleaks|trufflehog|detect-secrets|secret|ggshield|whispers/i;
const bands = [
  [9, 'high'],
  [7, 'high'],
  [4, 'medium'],
  [Number.MIN_VALUE, 'low'],
] as const;

const severity: Check = ({ run, result, rule, finding }) => {
  const stated = [result['properties']?.['security-severity'], rule['properties']?.['security-severity']]
    .map((score) => (isText(score) ? Number(score) : score))
    .filter((score) => typeof score === 'number' && score >= 0 && score <= 10);
  // A score of 0 counts only if nothing else is stated.
  const scores = stated.filter((score) => score > 0);
  // An imported finding is not verified, so a critical one becomes high.
  const ofScore = (score: number) => bands.find(([least]) => score >= least)?.[1] ?? 'info';
  if (scores.length > 0) return differs('the severity', ofScore(scores[0]), finding.severity);
  const isFail = (result['kind'] ?? 'fail') === 'fail';
  const own = isText(result['level']) && (isFail || result['level'] !== 'none') ? result['level'] : undefined;
  const override = list(run['invocations'])
    .flatMap((invocation) => list(invocation['ruleConfigurationOverrides']))
    .findLast(({ descriptor }) => descriptor?.['id'] === rule['id'])?.['configuration'];
  const configuration = { ...rule['defaultConfiguration'], ...override };
  const level = own ?? configuration['level'];
  if (level === undefined && SECRETS.test(run['tool']?.['driver']?.['name'] ?? ''))
    return differs('the severity', 'high', finding.severity);
  const rank = [result['rank'], configuration['rank']].find(
    (given) => typeof given === 'number' && given >= 0,
  );
  if (level === undefined && rank !== undefined)
    return differs('the severity', ofScore(rank / 10), finding.severity);
  if (level === undefined && stated.length > 0) return differs('the severity', 'info', finding.severity);
  const byLevel: Json = { error: 'high', warning: 'medium', note: 'low', none: 'info' };
  return differs(
    'the severity',
    byLevel[level ?? (isFail ? 'warning' : 'note')] ?? 'medium',
    finding.severity,
  );
};

const LINK = /\[([^[\]\n]{1,500})\]\(([^()\s]{0,2000})\)/g;

/** The words of the message in order, and the targets of its links. */
const message: Check = ({ result, rule, finding }) => {
  const strings = rule['messageStrings']?.[result['message']?.['id']];
  const template = [result['message']?.['text'], result['message']?.['markdown'], strings?.['text']].find(
    isText,
  );
  if (template === undefined || isRedacted(finding) || template.length > 5000) return [];
  const values: unknown[] = result['message']?.['arguments'] ?? [];
  const filled =
    values.length === 0
      ? template
      : template.replaceAll(
          /\{(\d)\}/g,
          (hole: string, index: string) => (values[Number(index)] as string) ?? hole,
        );
  const pieces = filled.split(LINK).filter((_, index) => index % 3 !== 2);
  const addresses = [...filled.matchAll(LINK)]
    .map(([, , target]) => target!)
    .filter((target) => target.startsWith('http'));
  return [finding.summary, finding.evidence[0]?.description ?? ''].flatMap((shown) => {
    let from = 0;
    const lost = [
      ...pieces.map((piece) => piece.replaceAll(/\\([[\]\\])/g, '$1').trim()),
      ...addresses,
    ].filter((piece) => {
      const isAddress = addresses.includes(piece);
      const at = shown.toWellFormed().indexOf(piece.toWellFormed(), isAddress ? 0 : from);
      if (at >= 0 && !isAddress) from = at;
      return at < 0;
    });
    return lost.map((piece) => `the message has lost ${JSON.stringify(piece)}`);
  });
};

const lines: Check = ({ result, finding }) => {
  const { startLine, endLine } = regionOf(result);
  if (!isLine(startLine)) return differs('the line', undefined, finding.affected.lineStart);
  const end = isLine(endLine) && endLine >= startLine ? endLine : startLine;
  return [
    ...differs('the first line', startLine, finding.affected.lineStart),
    ...differs('the last line', end, finding.affected.lineEnd),
  ];
};

function spanOf(location: Json): string {
  const { startLine, startColumn, endLine = startLine, endColumn } = physicalOf(location)['region'] ?? {};
  if (!isLine(startLine)) return '';
  const hasEnd = isLine(endColumn);
  const start = isLine(startColumn) ? startColumn : hasEnd ? 1 : undefined;
  if (start === undefined) return `:${startLine}`;
  const last = isLine(endLine) && endLine >= startLine ? endLine : startLine;
  const isForward = hasEnd && (last > startLine || endColumn >= start);
  return isForward ? `:${startLine}:${start}-${last}:${endColumn}` : `:${startLine}:${start}`;
}

const lastName = (uri: string) =>
  decoded(uri)
    .split(/[\\/]/)
    .findLast((segment) => segment !== '') ?? '';

function decoded(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri;
  }
}

function uriOf(run: Json, location: Json): string | undefined {
  const given: Json = physicalOf(location)['artifactLocation'] ?? {};
  return [given['uri'], list(run['artifacts'])[given['index'] as number]?.['location']?.['uri']].find(isText);
}

/** `a.ts:7:3-7:9`: without folders, which depend on the location of the repository. */
function endOf(run: Json, location: Json): string | undefined {
  const uri = uriOf(run, location);
  if (uri === undefined || /^https?:/i.test(uri) || /^[./\\]*$/.test(uri)) return undefined;
  return `${lastName(uri)}${spanOf(location)}`.normalize('NFC');
}

const primaryLocation: Check = ({ run, result, finding }) => {
  const location = locationOf(result);
  const uri = uriOf(run, location);
  const end = endOf(run, location);
  if (end === undefined || uri === undefined || isRedacted(finding)) return [];
  const given = finding.evidence[0]?.location ?? '';
  return [
    ...(given.endsWith(end) ? [] : [`the location does not end with ${end}: ${given}`]),
    ...differs('the file', lastName(uri).normalize('NFC'), lastName(finding.affected.file ?? '')),
  ];
};

const isReference = (given: unknown): given is string =>
  isText(given) && /^https?:\/\/\S+$/i.test(given) && given.length <= 500;

function referencesIn({ result, rule }: Context): string[] {
  return [
    rule['helpUri'],
    result['hostedViewerUri'],
    ...((result['workItemUris'] as unknown[]) ?? []),
  ].filter(isText);
}

const references: Check = (context) =>
  isRedacted(context.finding)
    ? []
    : referencesIn(context)
        .filter(isReference)
        .slice(0, 32)
        .filter((uri) => !context.finding.references?.includes(uri))
        .map((uri) => `the reference ${uri} is lost`);

const suppression: Check = ({ result, finding }) => {
  const given = list(result['suppressions']);
  const isAccepted = given.length > 0 && given.every(({ status }) => (status ?? 'accepted') === 'accepted');
  return differs('the status', isAccepted ? 'accepted_risk' : undefined, finding.status);
};

const advice: Check = ({ result, rule, finding }) => {
  const help = [rule['help']?.['markdown'], rule['help']?.['text']].find(isText)?.trim();
  const fixes = list(result['fixes'])
    .slice(0, 5)
    .flatMap((fix) => fix['description']?.['text'] ?? []);
  const texts = [help?.slice(0, 500), ...fixes.map((fix: string) => fix.trim())].filter(isText);
  return isRedacted(finding)
    ? []
    : texts
        .filter((text) => text.length < 1000 && !/\]\(|\\/.test(text) && !finding.remediation.includes(text))
        .map((text) => `the advice has lost ${JSON.stringify(text)}`);
};

const taxa: Check = ({ run, result, finding }) => {
  const numbers = list(result['taxa']).flatMap(({ id, index, toolComponent }) => {
    const byName = list(run['taxonomies']).find(({ name }) => name === toolComponent?.['name']);
    const taxonomy = byName ?? list(run['taxonomies'])[toolComponent?.['index'] as number];
    const number = id ?? list(taxonomy?.['taxa'])[index as number]?.['id'];
    return taxonomy?.['name'] === 'CWE' && /^\d+$/.test(number) ? [`CWE-${number}`] : [];
  });
  return numbers
    .filter((name) => !finding.taxonomy?.includes(name))
    .map((name) => `the taxon ${name} is lost`);
};

const firstSeen: Check = ({ result, finding }) => {
  const given = result['provenance']?.['firstDetectionTimeUtc'];
  return isText(given) && !Number.isNaN(Date.parse(given))
    ? differs('when it was first seen', Date.parse(given), Date.parse(finding.firstSeenAt ?? ''))
    : [];
};

const checks: readonly Check[] = [
  toolTag,
  severity,
  message,
  lines,
  primaryLocation,
  references,
  suppression,
  advice,
  taxa,
  firstSeen,
];

/** Counts the steps, locations and references that the finding lacks. Steps must be in the order of their flow. */
function count(context: Context, lost: { steps: number; locations: number; references: number }): void {
  const { run, result, finding } = context;
  const shown = (expression: RegExp) =>
    finding.evidence
      .filter(({ description }) => expression.test(description))
      .map(({ location = '' }) => location);
  const steps = list(result['codeFlows'])
    .flatMap((flow) => list(flow['threadFlows']))
    .flatMap((flow) => list(flow['locations']))
    .map((step) => endOf(run, step['location'] ?? {}));
  const others = [...list(result['locations']).slice(1), ...list(result['relatedLocations'])].map(
    (location) => endOf(run, location),
  );
  lost.steps += missing(steps, shown(/^(?:Flow \d+ of \d+, step|Step) \d+ of \d+: /));
  lost.locations += missing(others, shown(/^(?:Also here|Related): /));
  const given = new Set(referencesIn(context));
  lost.references += given.size - (finding.references?.length ?? 0);
}

/** The number of locations that are not shown; NaN if the shown ones are not in order. */
function missing(expected: readonly (string | undefined)[], shown: readonly string[]): number {
  let at = 0;
  for (const location of shown) {
    while (at < expected.length && expected[at] !== undefined && !location.endsWith(expected[at]!)) at += 1;
    if (at >= expected.length) return Number.NaN;
    at += 1;
  }
  return expected.length - shown.length;
}
