/** Fields that set what viewers see: presets, and all details of the policy behind "Customize". */
import type { SectionId, SelectionMode, Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
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
import { SeverityChoice } from './severity-choice.tsx';
import { policyFor, withPolicyFor, type Viewer } from './viewer.ts';

export interface PolicyFieldsProps {
  readonly draft: LinkDraft;
  readonly findings: Findings;
  readonly viewer: Viewer;
  readonly onViewer: (viewer: Viewer) => void;
  readonly onChange: (draft: LinkDraft) => void;
}

const presetLabels: Readonly<Record<Preset, string>> = {
  customer: 'Customer: no code, no reproduction steps, no names of projects and hosts',
  auditor: 'Auditor: everything except code and file names',
  team: 'Team: everything',
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
          label="View for"
          name="viewer"
          value={viewer ?? ''}
          onChange={({ currentTarget }) => onViewer(currentTarget.value || null)}
        >
          <option value="">Everyone who is not listed, and you</option>
          {draft.people.map(({ value }) => (
            <option key={value} value={value}>
              {value}
            </option>
          ))}
        </SelectField>
      ) : null}
      {person ? (
        <Checkbox
          label="Use a separate view"
          checked={!isInherited}
          onChange={({ currentTarget }) =>
            onChange(withPolicyFor(draft, viewer, currentTarget.checked ? draft.policy : null))
          }
        />
      ) : null}
      {isInherited ? null : (
        <>
          <SeverityChoice policy={policy} change={change} />
          <Choices
            legend="What they see"
            name="preset"
            choices={presetLabels}
            chosen={presetOf(policy)}
            onChoose={(preset) => change({ type: 'preset', preset })}
          />
          <Checkbox
            label="Hide names: project, repository, hosts, agent"
            checked={policy.anonymize}
            onChange={({ currentTarget }) => change({ type: 'anonymize', isOn: currentTarget.checked })}
          />
          <Details policy={policy} change={change} findings={findings} />
        </>
      )}
    </div>
  );
}

const sectionLabels: Readonly<Record<SectionId, string>> = {
  metadata: 'Project, scan and times',
  authorization: 'Scan authorization',
  summary: 'Finding counts',
  findings: 'Findings',
  coverage: 'Coverage',
  limitations: 'Limitations',
};

const fieldLabels: Readonly<Record<FieldName, string>> = {
  evidence: 'Evidence',
  code: 'Code, files and lines',
  reproduction: 'Reproduction steps',
  remediation: 'Remediation and verification plan',
  metadata: 'References, tags and history',
};

const modeLabels: Readonly<Record<SelectionMode, string>> = {
  allow_all: 'All findings',
  deny_listed: 'All except the selected ones',
  allow_listed: 'Only the selected ones',
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
          {(Object.keys(sectionLabels) as SectionId[]).map((id) => (
            <Checkbox
              key={id}
              label={sectionLabels[id]}
              checked={policy.sections[id]}
              onChange={({ currentTarget }) =>
                change({ type: 'section', id, isShown: currentTarget.checked })
              }
            />
          ))}
        </fieldset>
        <fieldset>
          <legend className="pb-1 font-strong">Finding details, besides title and summary</legend>
          {fieldNames.map((name) => (
            <Checkbox
              key={name}
              label={fieldLabels[name]}
              checked={policy.fields[name]}
              onChange={({ currentTarget }) =>
                change({ type: 'field', name, isShown: currentTarget.checked })
              }
            />
          ))}
        </fieldset>
        <SelectField
          label="Highest severity to show"
          name="maxSeverity"
          value={maxSeverity ?? ''}
          onChange={({ currentTarget }) =>
            change({ type: 'maxSeverity', severity: (currentTarget.value || null) as Severity | null })
          }
        >
          <option value="">All severities</option>
          {severities.slice(1).map((severity) => (
            <option key={severity} value={severity}>
              Hide findings above {severity}
            </option>
          ))}
        </SelectField>
        <Choices
          legend="Which findings"
          name="mode"
          choices={modeLabels}
          chosen={mode}
          onChoose={(next: SelectionMode) => change({ type: 'mode', mode: next })}
        />
        {mode === 'allow_all' ? null : (
          <FindingChoice findings={findings ?? []} chosen={policy.findings.ids} change={change} />
        )}
        <p className="text-small text-quiet">
          Every finding includes its title, component and summary. This text can name files or people.
        </p>
      </div>
    </details>
  );
}
