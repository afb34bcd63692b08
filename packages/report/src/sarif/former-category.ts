/**
 * The category that earlier versions gave to a result. Fingerprints in their reports contain it, so it must not change.
 */
import { categoryNamed, SECRET_TOOL } from './category.ts';
import { ruleTextsOf } from './rule-texts.ts';
import type { Rule } from './rules.ts';
import { categoryOfRisk } from './weaknesses.ts';

const ADVISORY = /^(?:CVE|GHSA|OSV|RUSTSEC|PYSEC|MAL|SNYK|BDSA|RHSA|DSA|USN|ELSA|ALAS|GO)-\w/i;

export interface Weighed {
  readonly byWeakness: string | undefined;
  /** The risks of the OWASP Top Ten. */
  readonly risks: readonly string[];
}

/** The category before redaction. */
export function formerCategory(rule: Rule, toolName: string, { byWeakness, risks }: Weighed): string {
  const name = [rule.id, ruleTextsOf(rule.descriptor).name ?? ''];
  const isAdvisory = name.some((part) => ADVISORY.test(part));
  return categoryNamed(
    (isAdvisory ? 'vulnerable_dependency' : undefined) ??
      (SECRET_TOOL.test(toolName) ? 'exposed_secret' : undefined) ??
      byWeakness ??
      categoryOfRule(rule, toolName) ??
      risks.map(categoryOfRisk).find((category) => category !== undefined),
    toolName,
  );
}

/** Numeric ids and codes meant nothing as a category: `B104`, `CKV_DOCKER_2`, `AVD-AZU-0014`, a UUID. */
const CODE =
  /^(?:[A-Za-z]{0,6}-?\d+|[A-Z]{2,6}(?:[-_][A-Z0-9]+)*[-_]\d+|[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4,12}){4})$/;

/** The last part of the rule's id if that is a name, otherwise the rule's name. */
function categoryOfRule({ id, descriptor }: Rule, toolName: string): string | undefined {
  const last = id.split(/[/.:()]/).findLast((part) => part.trim() !== '') ?? '';
  if (/[A-Za-z]{3}/.test(last) && !CODE.test(id) && !CODE.test(last)) return last;
  return ruleTextsOf(descriptor).name ?? (id === '' ? undefined : `${toolName} ${id}`);
}
