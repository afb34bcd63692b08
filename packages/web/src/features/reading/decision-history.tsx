/** Who decided about a finding, when, why and until when: the latest decision, and the earlier ones folded. */
import { useQuery } from '@tanstack/react-query';
import type { Decision, ProjectedFinding } from '@svc/contract';
import { CARRIED_TAG, isSetAside, LAPSED_TAG } from '@svc/contract/status-moves';
import { enumLabels, labelOf } from '@svc/report/reading/labels';
import { query } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { InOrder } from '../../ui/in-order.tsx';
import { Time } from '../../ui/time.tsx';

export interface DecisionHistoryProps {
  readonly finding: ProjectedFinding;
  readonly reportId: string;
}

export function DecisionHistory({ finding, reportId }: DecisionHistoryProps) {
  const { id, status = 'open', tags = [] } = finding;
  const isDecided = isSetAside(status) || tags.includes(LAPSED_TAG) || tags.includes(CARRIED_TAG);
  const { data } = useQuery({
    ...query('listDecisions', { params: { id: reportId, findingId: id } }),
    enabled: isDecided,
    throwOnError: false,
  });
  const [latest, ...earlier] = data?.decisions.toReversed() ?? [];
  if (!isDecided || !latest) return null;
  return (
    <section aria-label="Decision" className="flex flex-col gap-1 rounded bg-sunken px-3 py-2">
      {tags.includes(LAPSED_TAG) ? (
        <p className="font-strong">This decision has lapsed, so the finding is open again.</p>
      ) : null}
      <DecisionText decision={latest} />
      {earlier.length > 0 ? (
        <details>
          <summary className="text-quiet">{counted(earlier.length, 'earlier decision')}</summary>
          <ol className="mt-1 flex flex-col gap-2">
            <InOrder of={earlier}>
              {(decision) => (
                <li>
                  <DecisionText decision={decision} />
                </li>
              )}
            </InOrder>
          </ol>
        </details>
      ) : null}
    </section>
  );
}

function DecisionText({ decision }: { readonly decision: Decision }) {
  const { status, reason, note, until, decidedAt, decidedBy } = decision;
  return (
    <>
      <p>
        <span className="font-strong">{enumLabels[status]}</span> by{' '}
        <bdi>{decidedBy?.displayName ?? 'a deleted account'}</bdi> <Time at={decidedAt} />
        {reason === null ? '' : ` · ${labelOf(reason)}`}
        {until === null ? null : (
          <>
            {' · until '}
            <Time at={until} />
          </>
        )}
      </p>
      {note === null ? null : (
        <p dir="auto" className="whitespace-pre-line">
          {note}
        </p>
      )}
    </>
  );
}
