/** An edited policy with every part explicit, so that missing parts need no interpretation. */
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
      return { ...draft, findings: { ...findings, maxSeverity: action.severity } };
    case 'anonymize':
      return { ...draft, anonymize: action.isOn };
    case 'preset':
      return { ...presets[action.preset], anonymize: draft.anonymize };
  }
}

const every = <Name extends string>(names: readonly Name[], value: boolean): Record<Name, boolean> =>
  Object.fromEntries(names.map((name) => [name, value])) as Record<Name, boolean>;

const allFindings = { mode: 'allow_all', ids: [], maxSeverity: null } as const;

const everything: PolicyDraft = {
  sections: every(sectionIds, true),
  findings: allFindings,
  fields: every(fieldNames, true),
  anonymize: false,
};

/** The presets. */
export const presets = {
  withoutCode: { ...everything, fields: { ...everything.fields, code: false } },
  everything,
  counts: {
    ...everything,
    sections: { ...every(sectionIds, false), metadata: true, summary: true, coverage: true },
    fields: every(fieldNames, false),
  },
} as const satisfies Record<string, PolicyDraft>;
export type Preset = keyof typeof presets;

/** Null for a custom policy. */
export function presetOf(draft: PolicyDraft): Preset | null {
  const names = Object.keys(presets) as Preset[];
  return names.find((name) => isSamePolicy({ ...presets[name], anonymize: draft.anonymize }, draft)) ?? null;
}

export function isSamePolicy(one: PolicyDraft, other: PolicyDraft): boolean {
  return JSON.stringify(policyOf(one)) === JSON.stringify(policyOf(other));
}

export function policyOf({ sections, findings, fields, anonymize }: PolicyDraft): SharePolicy {
  const shown = sectionIds.filter((id) => sections[id]);
  const { mode, ids, maxSeverity } = findings;
  return {
    version: 1,
    sections:
      shown.length === sectionIds.length ? { mode: 'allow_all' } : { mode: 'allow_listed', ids: [...shown] },
    findings: {
      mode,
      ...(mode === 'allow_all' ? {} : { ids: ids.toSorted(byNumber) }),
      ...(maxSeverity === null ? {} : { maxSeverity }),
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
  { findings: { mode, ids, maxSeverity } }: PolicyDraft,
  { id, severity }: Pick<ProjectedFinding, 'id' | 'severity'>,
): boolean {
  if (maxSeverity !== null && severities.indexOf(severity) < severities.indexOf(maxSeverity)) return false;
  return mode === 'allow_all' || ids.includes(id) === (mode === 'allow_listed');
}

const collator = new Intl.Collator('en', { numeric: true });

/** `F-2` before `F-10`. */
function byNumber(one: string, other: string): number {
  return collator.compare(one, other);
}
