/** A policy while it is edited. A stored policy may omit parts; a draft has every part. */
import type { ProjectedFinding, SectionId, SelectionMode, Severity, SharePolicy } from '@svc/contract';
import { sectionIds, severities } from '@svc/contract/enums';

export const fieldNames = ['evidence', 'code', 'reproduction', 'remediation', 'metadata'] as const;
export type FieldName = (typeof fieldNames)[number];

export interface PolicyDraft {
  readonly sections: Readonly<Record<SectionId, boolean>>;
  readonly findings: {
    readonly mode: SelectionMode;
    /**
     * The ids are sorted when sent. They are kept even if the mode does not use them, in case the user switches back.
     */
    readonly ids: readonly string[];
    /** Findings above this severity are hidden; null shows all. */
    readonly maxSeverity: Severity | null;
    /** Findings below this severity are hidden; null shows all. */
    readonly minSeverity: Severity | null;
  };
  readonly fields: Readonly<Record<FieldName, boolean>>;
  readonly anonymize: boolean;
}

export type PolicyAction =
  | { readonly type: 'section'; readonly id: SectionId; readonly isShown: boolean }
  | { readonly type: 'field'; readonly name: FieldName; readonly isShown: boolean }
  | { readonly type: 'mode'; readonly mode: SelectionMode }
  | { readonly type: 'finding'; readonly id: string; readonly isListed: boolean }
  | { readonly type: 'maxSeverity'; readonly severity: Severity | null }
  | { readonly type: 'minSeverity'; readonly severity: Severity | null }
  | { readonly type: 'anonymize'; readonly isOn: boolean }
  | { readonly type: 'preset'; readonly preset: Preset };

export function changePolicy(draft: PolicyDraft, action: PolicyAction): PolicyDraft {
  const { sections, findings, fields } = draft;
  switch (action.type) {
    case 'section':
      return { ...draft, sections: { ...sections, [action.id]: action.isShown } };
    case 'field':
      return { ...draft, fields: { ...fields, [action.name]: action.isShown } };
    case 'mode':
      return { ...draft, findings: { ...findings, mode: action.mode } };
    case 'finding': {
      const others = findings.ids.filter((id) => id !== action.id);
      return { ...draft, findings: { ...findings, ids: action.isListed ? [...others, action.id] : others } };
    }
    case 'maxSeverity':
    case 'minSeverity':
      return { ...draft, findings: withLimit(findings, action) };
    case 'anonymize':
      return { ...draft, anonymize: action.isOn };
    case 'preset':
      return { ...presets[action.preset], findings };
  }
}

/** If both limits together would leave no severity, the one that was set last removes the other. */
function withLimit(
  findings: PolicyDraft['findings'],
  { type, severity }: Extract<PolicyAction, { readonly severity: unknown }>,
): PolicyDraft['findings'] {
  const changed = { ...findings, [type]: severity };
  const { maxSeverity, minSeverity } = changed;
  const isEmpty =
    maxSeverity !== null &&
    minSeverity !== null &&
    severities.indexOf(minSeverity) < severities.indexOf(maxSeverity);
  if (!isEmpty) return changed;
  return { ...changed, [type === 'maxSeverity' ? 'minSeverity' : 'maxSeverity']: null };
}

const every = <Name extends string>(names: readonly Name[], value: boolean): Record<Name, boolean> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, boolean>;

const allFindings = { mode: 'allow_all', ids: [], maxSeverity: null, minSeverity: null } as const;

const team: PolicyDraft = {
  sections: every(sectionIds, true),
  findings: allFindings,
  fields: every(fieldNames, true),
  anonymize: false,
};

/** Which parts of findings each kind of viewer gets. A preset keeps the choice of findings. */
export const presets = {
  customer: { ...team, fields: { ...team.fields, code: false, reproduction: false }, anonymize: true },
  auditor: { ...team, fields: { ...team.fields, code: false } },
  team,
} as const satisfies Record<string, PolicyDraft>;
export type Preset = keyof typeof presets;

/** Null for a custom policy. */
export function presetOf(draft: PolicyDraft): Preset | null {
  const names = Object.keys(presets) as Preset[];
  return names.find((name) => isSamePolicy({ ...presets[name], findings: draft.findings }, draft)) ?? null;
}

export function isSamePolicy(one: PolicyDraft, other: PolicyDraft): boolean {
  return JSON.stringify(policyOf(one)) === JSON.stringify(policyOf(other));
}

export function policyOf({ sections, findings, fields, anonymize }: PolicyDraft): SharePolicy {
  const shown = sectionIds.filter((id) => sections[id]);
  const { mode, ids, maxSeverity, minSeverity } = findings;
  return {
    version: 1,
    sections:
      shown.length === sectionIds.length ? { mode: 'allow_all' } : { mode: 'allow_listed', ids: [...shown] },
    findings: {
      mode,
      ...(mode === 'allow_all' ? {} : { ids: ids.toSorted(byNumber) }),
      ...(maxSeverity === null ? {} : { maxSeverity }),
      ...(minSeverity === null ? {} : { minSeverity }),
    },
    fields: { ...every(fieldNames, false), ...fields },
    anonymize,
  };
}

export function draftOf({ sections, findings, fields, anonymize }: SharePolicy): PolicyDraft {
  const listed = new Set<string>(sections?.ids);
  const isShown = (id: SectionId) =>
    sections?.mode === 'allow_all' || listed.has(id) === (sections?.mode !== 'deny_listed');
  return {
    sections: Object.fromEntries(sectionIds.map((id) => [id, isShown(id)])) as Record<SectionId, boolean>,
    findings: {
      mode: findings?.mode ?? 'allow_listed',
      ids: findings?.ids ?? [],
      maxSeverity: findings?.maxSeverity ?? null,
      minSeverity: findings?.minSeverity ?? null,
    },
    fields: Object.fromEntries(fieldNames.map((name) => [name, fields?.[name] === true])) as Record<
      FieldName,
      boolean
    >,
    anonymize: anonymize === true,
  };
}

/** Whether the policy shows a finding. The findings section itself may still be hidden. */
export function letsThrough(
  { findings: { mode, ids, maxSeverity, minSeverity } }: PolicyDraft,
  { id, severity }: Pick<ProjectedFinding, 'id' | 'severity'>,
): boolean {
  const rank = severities.indexOf(severity);
  if (maxSeverity !== null && rank < severities.indexOf(maxSeverity)) return false;
  if (minSeverity !== null && rank > severities.indexOf(minSeverity)) return false;
  return mode === 'allow_all' || ids.includes(id) === (mode === 'allow_listed');
}

const collator = new Intl.Collator('en', { numeric: true });

/** `F-2` before `F-10`. */
function byNumber(one: string, other: string): number {
  return collator.compare(one, other);
}
