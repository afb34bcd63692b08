/** The least severe findings that a share shows: the first decision about what others see. */
import type { Severity } from '@svc/contract';
import { severities } from '@svc/contract/enums';
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
  const chosen = minSeverity ?? 'info';
  return (
    <fieldset>
      <legend className="pb-1 font-strong">Lowest severity to show</legend>
      <div className="flex flex-wrap gap-2">
        {severities.map((severity, rank) => (
          <label
            key={severity}
            className="flex min-h-9 items-center gap-2 rounded border border-edge px-3 has-checked:border-accent has-checked:bg-hover has-disabled:opacity-50"
          >
            <input
              type="radio"
              name="minSeverity"
              value={severity}
              checked={chosen === severity}
              // A minimum above the maximum would leave no severity.
              disabled={rank < most}
              onChange={() =>
                change({ type: 'minSeverity', severity: severity === 'info' ? null : severity })
              }
              className="size-4 shrink-0 accent-accent"
            />
            {labels[severity]}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
