/**
 * What the logs of our own export say beyond what other scanners say, so that a report that went out as SARIF comes in
 * with the same severities, places and fingerprints, and can be compared with others of its project. Each word is taken
 * only where it is one that a finding may bear; anybody can write such a log, as anybody can submit such a finding.
 */
import { severities, verifications, type Severity, type Verification } from '@svc/contract';
import { fields, items, natural, text, type Fields } from './sarif-document.ts';

/** The name of the tool in our own logs. */
export const OWN_TOOL = 'svc';
/** The name of a finding's own fingerprint there. */
export const OWN_FINGERPRINT = 'svcFingerprint/v1';

export interface OwnAffected {
  readonly component: string;
  readonly file?: string;
  readonly route?: string;
  readonly origin?: string;
  readonly lineStart?: number;
  readonly lineEnd?: number;
}

export interface OwnWords {
  readonly title?: string;
  readonly category?: string;
  readonly severity?: Severity;
  readonly verification?: Verification;
  readonly taxonomy?: readonly string[];
  readonly affected?: OwnAffected;
  readonly isFalsePositive: boolean;
  readonly fingerprint?: string;
}

const CATEGORY = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;

/** Undefined for a result of another tool. */
export function ownWords(result: Fields, toolName: string): OwnWords | undefined {
  if (toolName !== OWN_TOOL) return undefined;
  const said = fields(result['properties']);
  const category = text(said['category']);
  const fingerprint = text(fields(result['partialFingerprints'])[OWN_FINGERPRINT]);
  const words = {
    title: text(said['title']),
    category: category !== undefined && CATEGORY.test(category) ? category : undefined,
    severity: severities.find((severity) => severity === said['severity']),
    verification: verifications.find((verification) => verification === said['verification']),
    // Of our own a finding without weaknesses has none, whatever those of its rule are.
    taxonomy:
      category === undefined ? undefined : items(said['taxonomy']).flatMap((item) => text(item) ?? []),
    affected: affectedOf(fields(said['affected'])),
    fingerprint: fingerprint !== undefined && FINGERPRINT.test(fingerprint) ? fingerprint : undefined,
  };
  return { ...present(words), isFalsePositive: said['status'] === 'false_positive' };
}

function affectedOf(said: Fields): OwnAffected | undefined {
  const component = text(said['component']);
  if (component === undefined) return undefined;
  const [lineStart, lineEnd] = [said['lineStart'], said['lineEnd']].map(natural);
  const places = { file: text(said['file']), route: text(said['route']), origin: text(said['origin']) };
  return {
    component,
    ...present(places),
    ...(lineStart && { lineStart }),
    ...(lineEnd && { lineEnd }),
  };
}

type Present<Of> = { [Name in keyof Of]?: Exclude<Of[Name], undefined> };

function present<Of extends object>(values: Of): Present<Of> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Present<Of>;
}
