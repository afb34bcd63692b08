/** The least severe findings that a share shows: the first decision about what others see. */
import type { Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
import { RadioChips } from '../../ui/radio-chips.tsx';
import type { PolicyAction, PolicyDraft } from './policy.ts';

const labels: Readonly<Record<Severity, string>> = {
  critical: 'Critical only',
  high: 'High and above',
  medium: 'Medium and above',
  low: 'Low and above',
  info: 'All',
};

export interface SeverityChoiceProps {
  readonly policy: PolicyDraft;
  readonly change: (action: PolicyAction) => void;
}

export function SeverityChoice({ policy, change }: SeverityChoiceProps) {
  const { minSeverity, maxSeverity } = policy.findings;
  const most = severities.indexOf(maxSeverity ?? 'critical');
  return (
    <RadioChips
      label="Lowest severity to show"
      name="minSeverity"
      value={minSeverity ?? 'info'}
      options={severities.map((severity, rank) => ({
        value: severity,
        label: labels[severity],
        // A minimum above the maximum would leave no severity.
        isDisabled: rank < most,
      }))}
      onChoose={(severity) =>
        change({ type: 'minSeverity', severity: severity === 'info' ? null : severity })
      }
    />
  );
}
