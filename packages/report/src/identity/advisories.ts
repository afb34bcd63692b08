/**
 * Published vulnerabilities (CVE, GHSA and others). If the affected package is known, a vulnerability is identified by
 * its id and the package, not by the line. A lock file has many packages, and scanners may give its first line for all
 * of them.
 */
import { limits, type Affected } from '@svc/contract';
import { ruleIn, toolIn } from '../reading/tags.ts';

/** The id of a published vulnerability. A rule such as `go-sql-injection` begins like one, but has no number. */
export const ADVISORY =
  /^(?:(?:CVE|OSV|RUSTSEC|PYSEC|MAL|BDSA|GO)-\d{4}-\d|GHSA(?:-[0-9a-z]{4}){3}|SNYK-[A-Z]+-|(?:RHSA|DSA|USN|ELSA|ALAS\d{0,4})-\d)/i;

/** The name of a package; undefined for the path of the file, which some scanners write in its place. */
export function packageNamed(name: string | undefined, file: string | undefined): string | undefined {
  const path = file?.replace(/^[^A-Za-z0-9]+/, '') ?? '';
  const isPath = name === undefined || name.trim() === '' || (path !== '' && name.endsWith(path));
  return isPath ? undefined : name;
}

export interface MaybeAdvisory {
  readonly affected: Pick<Affected, 'file'> & Partial<Pick<Affected, 'component'>>;
  readonly tags?: readonly string[] | undefined;
}

/** Vulnerability and package, from the tags and the component of an imported finding. */
export function advisoryOf({ affected: { component, file }, tags = [] }: MaybeAdvisory): string | undefined {
  const [rule, name] = [ruleIn(tags), packageNamed(component, file)];
  if (rule === undefined || name === undefined || !ADVISORY.test(rule)) return undefined;
  // The component is not always the package. Without a known package it names the scanner, and a shortened name may
  // stand for two packages.
  const isUncertain = name === toolIn(tags) || [...name].length >= limits.finding.componentLengthMax;
  return isUncertain ? undefined : JSON.stringify([rule, name]);
}
