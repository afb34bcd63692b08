/** What viewers see: the views that most links need, and every detail of a policy behind them. */
import type { SectionId, SelectionMode, Severity } from '@svc/contract';
import { severities } from '@svc/contract/words';
import { Checkbox, SelectField } from '../../ui/field.tsx';
import { Choices } from './choices.tsx';
import type { LinkDraft } from './draft.ts';
import { FindingChoice } from './finding-choice.tsx';
import type { Findings } from './findings.ts';
import {
  changePolicy,
  fieldNames,
  presetOf,
  type FieldName,
  type PolicyAction,
  type Preset,
} from './policy.ts';
import { policyFor, withPolicyFor, type Viewer } from './viewer.ts';

export interface PolicyFieldsProps {
  readonly draft: LinkDraft;
  readonly findings: Findings;
  readonly viewer: Viewer;
  readonly onViewer: (viewer: Viewer) => void;
  readonly onChange: (draft: LinkDraft) => void;
}

const presetWords: Readonly<Record<Preset, string>> = {
  withoutCode: 'Everything but code and where it is',
  everything: 'Everything, with code',
  counts: 'Counts and coverage, no findings',
};

export function PolicyFields({ draft, findings, viewer, onViewer, onChange }: PolicyFieldsProps) {
  const policy = policyFor(draft, viewer);
  const person = draft.people.find(({ value }) => value === viewer);
  const change = (action: PolicyAction) =>
    onChange(withPolicyFor(draft, viewer, changePolicy(policy, action)));
  const isInherited = person?.policy === null;
  return (
    <div className="flex flex-col gap-3">
      {draft.people.length > 0 ? (
        <SelectField
          label="View of"
          name="viewer"
          value={viewer ?? ''}
          onChange={({ currentTarget }) => onViewer(currentTarget.value || null)}
        >
          <option value="">Everybody who is not named, and you</option>
          {draft.people.map(({ value }) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </SelectField>
      ) : null}
      {person ? (
        <Checkbox
          label="A view of their own"
          checked={!isInherited}
          onChange={({ currentTarget }) =>
            onChange(withPolicyFor(draft, viewer, currentTarget.checked ? draft.policy : null))
          }
        />
      ) : null}
      {isInherited ? null : (
        <>
          <Choices
            legend="What they see"
            name="preset"
            choices={presetWords}
            chosen={presetOf(policy)}
            onChoose={(preset) => change({ type: 'preset', preset })}
          />
          <Checkbox
            label="Without names: project, repository, hosts, agent"
            checked={policy.anonymize}
            onChange={({ currentTarget }) => change({ type: 'anonymize', isOn: currentTarget.checked })}
          />
          <Details policy={policy} change={change} findings={findings} />
        </>
      )}
    </div>
  );
}

const sectionWords: Readonly<Record<SectionId, string>> = {
  metadata: 'Project, scan and times',
  authorization: 'Authorization of the scan',
  summary: 'Counts of findings',
  findings: 'Findings',
  coverage: 'What was covered',
  limitations: 'Limitations',
};

const fieldWords: Readonly<Record<FieldName, string>> = {
  evidence: 'Evidence',
  code: 'Code, files and lines',
  reproduction: 'How to reproduce it',
  remediation: 'What to do, and how to verify it',
  metadata: 'References, tags and history',
};

const modeWords: Readonly<Record<SelectionMode, string>> = {
  allow_all: 'All findings',
  deny_listed: 'All but the chosen ones',
  allow_listed: 'Only the chosen ones',
};

interface DetailsProps {
  readonly policy: ReturnType<typeof policyFor>;
  readonly change: (action: PolicyAction) => void;
  readonly findings: Findings;
}

function Details({ policy, change, findings }: DetailsProps) {
  const { mode, maxSeverity } = policy.findings;
  return (
    <details>
      <summary className="py-1 text-accent-text">Customize</summary>
      <div className="flex flex-col gap-4 border-l border-line py-2 pl-4">
        <fieldset>
          <legend className="pb-1 font-strong">Sections</legend>
          {(Object.keys(sectionWords) as SectionId[]).map((id) => (
            <Checkbox
              key={id}
              label={sectionWords[id]}
              checked={policy.sections[id]}
              onChange={({ currentTarget }) =>
                change({ type: 'section', id, isShown: currentTarget.checked })
              }
            />
          ))}
        </fieldset>
        <fieldset>
          <legend className="pb-1 font-strong">Of each finding, besides its title and summary</legend>
          {fieldNames.map((name) => (
            <Checkbox
              key={name}
              label={fieldWords[name]}
              checked={policy.fields[name]}
              onChange={({ currentTarget }) =>
                change({ type: 'field', name, isShown: currentTarget.checked })
              }
            />
          ))}
        </fieldset>
        <SelectField
          label="Severity"
          name="maxSeverity"
          value={maxSeverity ?? ''}
          onChange={({ currentTarget }) =>
            change({ type: 'maxSeverity', severity: (currentTarget.value || null) as Severity | null })
          }
        >
          <option value="">All severities</option>
          {severities.slice(1).map((severity) => (
            <option key={severity} value={severity}>
              Nothing above {severity}
            </option>
          ))}
        </SelectField>
        <Choices
          legend="Which findings"
          name="mode"
          choices={modeWords}
          chosen={mode}
          onChoose={(next: SelectionMode) => change({ type: 'mode', mode: next })}
        />
        {mode === 'allow_all' ? null : (
          <FindingChoice findings={findings ?? []} chosen={policy.findings.ids} change={change} />
        )}
        <p className="text-small text-quiet">
          Titles, components and summaries are always with a finding. They are prose, and can name files or
          people.
        </p>
      </div>
    </details>
  );
}
