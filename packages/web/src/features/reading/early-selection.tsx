/** Counts the selected findings while the rest of the report loads. Their status can be set once it has loaded. */
import type { RuleGroup } from '@svc/contract';
import { ruleKeyOf } from '@svc/report/reading/rule-groups';
import { counted } from '../../lib/format.ts';
import type { Entry } from './entries.ts';
import type { ReportSelection } from './use-report-selection.ts';

export interface EarlySelectionProps {
  readonly selection: ReportSelection;
  /** The findings that are loaded. */
  readonly entries: readonly Entry[];
  readonly rules: readonly RuleGroup[];
}

export function EarlySelection({ selection: { ids, groups }, entries, rules }: EarlySelectionProps) {
  const alone = entries.filter(
    ({ finding }) => ids.has(finding.id) && !groups.has(ruleKeyOf(finding)),
  ).length;
  const count = rules.reduce((sum, rule) => sum + (groups.has(rule.key) ? rule.count : 0), alone);
  return (
    <div role="status" className="sticky bottom-0 z-10 rounded-b bg-surface print:hidden">
      {count === 0 ? null : (
        <p className="border-t border-line bg-chosen px-3 py-3">
          <span className="font-strong nums">{counted(count, 'finding')} selected.</span> You can set their
          status when the whole report is loaded.
        </p>
      )}
    </div>
  );
}
