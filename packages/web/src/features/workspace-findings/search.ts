/**
 * The search over all projects, with the syntax of a report's search. The service takes filters and terms, so
 * qualifiers become filters. What the service cannot search is reported as a problem.
 */
import { findingStatuses, severities, verifications } from '@svc/contract/enums';
import { searchTokensOf, type SearchToken } from '../../lib/search-tokens.ts';

export interface NamedProject {
  readonly projectId: string;
  readonly name: string;
}

/** The query of the API, without sort, limit and cursor. */
export interface ApiFilters {
  readonly q?: string;
  readonly severity?: string;
  readonly status?: string;
  readonly verification?: string;
  readonly category?: string;
  readonly projectId?: string;
  /** An ISO timestamp. */
  readonly firstSeenAfter?: string;
}

export interface ParsedSearch {
  readonly filters: ApiFilters;
  /** Sentences for the person who searches. */
  readonly problems: readonly string[];
}

const enums: Readonly<Record<string, readonly string[]>> = {
  severity: severities,
  status: findingStatuses,
  verification: verifications,
};

/** The service searches all of these together. */
const textQualifiers = new Set(['title', 'component', 'path', 'file', 'folder', 'rule']);

export function parsedSearch(search: string, projects: readonly NamedProject[]): ParsedSearch {
  const lists = new Map<string, Set<string>>();
  const terms: string[] = [];
  const problems: string[] = [];
  const add = (name: string, values: readonly string[]) =>
    lists.set(name, new Set([...(lists.get(name) ?? []), ...values]));

  function take({ isExcluded, name, value }: SearchToken): void {
    const allowed = Object.hasOwn(enums, name) ? enums[name] : undefined;
    const isKnown =
      allowed !== undefined || name === 'category' || name === 'project' || textQualifiers.has(name);
    if (value === '' && (name === '' || isKnown)) return;
    if (isExcluded) {
      problems.push(`-${name === '' ? '' : `${name}:`}${value}: this search can’t exclude findings.`);
      return;
    }
    const values = value.replaceAll(/[\s-]/g, '_').split(',').filter(Boolean);
    if (allowed) {
      const unknown = values.filter((each) => !allowed.includes(each));
      if (unknown.length > 0) problems.push(`${name}:${unknown.join(',')}: use ${allowed.join(', ')}.`);
      else add(name, values);
    } else if (name === 'category') add(name, values);
    else if (name === 'project') {
      const named = projects.filter((project) => project.name.toLowerCase().includes(value));
      if (named.length === 0) problems.push(`project:${value}: no project has this name.`);
      else
        add(
          'projectId',
          named.map(({ projectId }) => projectId),
        );
    } else terms.push(...(textQualifiers.has(name) || name === '' ? value : `${name}:${value}`).split(/\s+/));
  }

  for (const token of searchTokensOf(search)) take(token);
  const filters = Object.fromEntries([...lists].map(([name, values]) => [name, [...values].join(',')]));
  return { filters: terms.length > 0 ? { ...filters, q: terms.join(' ') } : filters, problems };
}

/** The search with this value of a qualifier added, or removed if it is there. */
export function toggledIn(search: string, name: string, value: string): string {
  const present = valuesIn(search, name);
  const values = present.includes(value) ? present.filter((each) => each !== value) : [...present, value];
  const others = search.replaceAll(qualifierPattern(name), ' ').replaceAll(/\s+/g, ' ').trim();
  return [others, values.length > 0 ? `${name}:${values.join(',')}` : ''].filter(Boolean).join(' ');
}

/** The values that a search names for a qualifier. */
export function valuesIn(search: string, name: string): readonly string[] {
  return searchTokensOf(search)
    .filter((token) => token.name === name && !token.isExcluded)
    .flatMap(({ value }) => value.replaceAll(/[\s-]/g, '_').split(','))
    .filter(Boolean);
}

function qualifierPattern(name: string): RegExp {
  // linear: the name is a constant, and adjacent parts begin with different characters
  return new RegExp(`(?:^|\\s)${name}:(?:"[^"]*"?|\\S*)`, 'gi');
}
