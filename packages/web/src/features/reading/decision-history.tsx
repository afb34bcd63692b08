/** Who decided about a finding, when, why and until when: the latest decision, and the earlier ones folded. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { Decision, Decisions, ProjectedFinding } from '@svc/contract';
import { limits } from '@svc/contract/limits';
import { CARRIED_TAG, isSetAside, LAPSED_TAG } from '@svc/contract/status-moves';
import { enumLabels, labelOf } from '@svc/report/reading/labels';
import { ask, queryKey } from '../../lib/api.ts';
import { InOrder } from '../../ui/in-order.tsx';
import { Time } from '../../ui/time.tsx';
import type { Triage } from './triage.ts';

const { keptMax, listedMax } = limits.decision;
const PAGE_SIZE = String(listedMax);

type ShownDecision = Omit<Decision, 'note' | 'reportId'> & {
  /** Undefined while it is loading. */
  readonly note: string | null | undefined;
};

export interface DecisionHistory {
  readonly latest: ShownDecision;
  /** The newest first; empty while they are loading. */
  readonly earlier: readonly Decision[];
}

/** Null for a finding without a decision. The report itself says all but the note and the earlier decisions. */
export function useDecisionHistory(
  { id, status = 'open', tags = [] }: ProjectedFinding,
  { report, decisionOn }: Pick<Triage, 'report' | 'decisionOn'>,
): DecisionHistory | null {
  const known = decisionOn(id);
  const params = { id: report.reportId, findingId: id };
  const decisions = {
    queryKey: queryKey('listDecisions', { params }),
    queryFn: ({ signal }: { signal: AbortSignal }) => allDecisions(params, signal),
  };
  const before = useQueryClient().getQueryData<readonly Decision[]>(decisions.queryKey);
  const isLapsed = tags.includes(LAPSED_TAG);
  // The report does not say what was decided on this page since.
  const hasDecision =
    known !== undefined ||
    isSetAside(status) ||
    isLapsed ||
    tags.includes(CARRIED_TAG) ||
    (before?.length ?? 0) > 0;
  const { data } = useQuery({ ...decisions, enabled: hasDecision, throwOnError: false });
  if (!hasDecision) return null;
  const [latest, ...earlier] = data?.toReversed() ?? [];
  if (latest) return { latest, earlier };
  if (data || !known || (known.status !== status && !isLapsed)) return null;
  return { latest: { ...known, note: known.hasNote ? undefined : null }, earlier: [] };
}

/** All pages, which are five at most. */
async function allDecisions(
  params: { readonly id: string; readonly findingId: string },
  signal: AbortSignal,
): Promise<Decision[]> {
  const all: Decision[] = [];
  let cursor: string | null = null;
  do {
    const page: Decisions = await ask(
      'listDecisions',
      { params, query: { limit: PAGE_SIZE, ...(cursor !== null && { cursor }) } },
      signal,
    );
    all.push(...page.decisions);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return all;
}

export interface LatestDecisionProps {
  readonly decision: ShownDecision;
  readonly hasLapsed: boolean;
}

export function LatestDecision({ decision, hasLapsed }: LatestDecisionProps) {
  return (
    <section aria-label="Decision" className="flex flex-col gap-1 rounded bg-sunken px-3 py-2">
      {hasLapsed ? (
        <p className="font-strong">This decision has lapsed, so the finding is open again.</p>
      ) : null}
      <DecisionText decision={decision} />
    </section>
  );
}

/** Keeps its place while the decisions are loading. */
export function EarlierDecisions({ decisions }: { readonly decisions: readonly Decision[] }) {
  const count = decisions.length;
  return (
    <details className={count === 0 ? 'invisible' : 'min-w-0 open:order-last open:basis-full'}>
      {/* On a phone the rest would not fit beside the status. */}
      <summary className="text-quiet">
        {Math.max(1, count)} earlier
        <span className="max-sm:sr-only"> {count > 1 ? 'decisions' : 'decision'}</span>
      </summary>
      <ol aria-label="Earlier decisions" className="mt-1 flex flex-col gap-2">
        <InOrder of={decisions}>
          {(decision) => (
            <li>
              <DecisionText decision={decision} />
            </li>
          )}
        </InOrder>
      </ol>
      {count + 1 >= keptMax ? (
        <p className="text-quiet">Only the newest {keptMax.toLocaleString('en')} decisions are kept.</p>
      ) : null}
    </details>
  );
}

function DecisionText({ decision }: { readonly decision: ShownDecision }) {
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
      {note === null ? null : <Note text={note ?? ''} />}
    </>
  );
}

/** Fits into one line on a phone. */
const SHORT_NOTE = /^.{0,40}$/;

/** Has one line at first, which is kept free while the note is loading. */
function Note({ text }: { readonly text: string }) {
  if (SHORT_NOTE.test(text)) {
    return (
      <p dir="auto" className="min-h-[1lh] content-center pointer-coarse:min-h-11">
        {text}
      </p>
    );
  }
  return (
    <details className="group">
      <summary dir="auto" className="not-group-open:truncate group-open:whitespace-pre-line">
        {text}
      </summary>
    </details>
  );
}
