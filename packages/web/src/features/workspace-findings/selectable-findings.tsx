/** The list of findings with a box on each row, and the bar that decides about the selected ones. */
import type { WorkspaceFinding } from '@svc/contract';
import { visibleLine } from '@svc/report/reading/visible-text';
import { useMemo, useRef, useState, type MouseEvent } from 'react';
import { InlineCheckbox } from '../../ui/inline-checkbox.tsx';
import { messageOf } from '../../ui/failure.tsx';
import { useShortcuts } from '../../ui/shortcuts.tsx';
import { SelectionBar } from '../reading/selection-bar.tsx';
import { useDecisions } from '../reading/use-decisions.ts';
import { useSelection } from '../reading/use-selection.ts';
import { FailedCalls } from './failed-calls.tsx';
import { columnsLook, FindingsList } from './findings-list.tsx';
import { GroupedList } from './grouped-list.tsx';
import type { Grouping } from './address.ts';
import { COLLECTED_MAX, type WantedFindings } from './queries.ts';
import { useBulkDecision } from './use-bulk-decision.ts';
import { useCollecting, type Collecting } from './use-collecting.ts';
import { useRowKeys } from './use-row-keys.ts';

export interface SelectableFindingsProps {
  readonly wanted: WantedFindings;
  /** The findings that are loaded, in their order. */
  readonly findings: readonly WorkspaceFinding[];
  /** How many findings match the search. */
  readonly total: number;
  readonly grouping: Grouping | null;
  /** An ISO timestamp: findings first seen after this time are marked. */
  readonly newSince: string | null;
  readonly isOneProject: boolean;
}

export function SelectableFindings(props: SelectableFindingsProps) {
  const { wanted, findings, total, grouping, newSince, isOneProject } = props;
  /** Findings that were selected without being shown. */
  const [collected, setCollected] = useState<readonly WorkspaceFinding[]>([]);
  const byKey = useMemo(
    () => new Map([...collected, ...findings].map((finding) => [finding.findingKey, finding])),
    [collected, findings],
  );
  const list = useRef<HTMLDivElement>(null);
  const selection = useSelection(() => keysIn(list.current));
  const bulk = useBulkDecision((key) => byKey.get(key));
  const decisions = useDecisions(bulk, selection);
  const collecting = useCollecting(wanted, total, (all) => {
    setCollected(all);
    selection.set(all.map(({ findingKey }) => findingKey));
  });
  useRowKeys(list, selection);
  useShortcuts([{ key: 'A', label: 'Select all findings that match', run: collecting.start }]);
  const search = JSON.stringify(wanted.filters);
  const [searchBefore, setSearchBefore] = useState(search);
  // A decision must not reach findings that the current filters leave out.
  if (search !== searchBefore) {
    setSearchBefore(search);
    setCollected([]);
    selection.set([]);
  }
  const selected = [...selection.ids].flatMap((key) => {
    const finding = byKey.get(key);
    return finding ? [{ id: key, name: visibleLine(finding.title), status: finding.status }] : [];
  });
  /** One listener for all rows, so that a row renders again only if it changes. */
  function click(event: MouseEvent): void {
    if (!(event.target instanceof Element)) return;
    const { select } = event.target.closest<HTMLElement>('[data-select]')?.dataset ?? {};
    if (select !== undefined) selection.toggle(select, event.shiftKey);
  }
  const rows = { findings, selected: selection.ids, newSince, isOneProject };
  return (
    <div className={`flex flex-col ${total > 0 ? 'card' : ''}`}>
      {findings.length > 0 ? <Head findings={findings} selection={selection} /> : null}
      <div ref={list} role="presentation" onClick={click}>
        {grouping === null ? (
          <FindingsList label="Findings" {...rows} />
        ) : (
          <GroupedList key={grouping} grouping={grouping} onSelectAll={selection.toggleAll} {...rows} />
        )}
      </div>
      <SelectionBar
        selected={selected}
        matching={total}
        selectable={COLLECTED_MAX}
        decisions={decisions}
        progress={bulk.progress}
        onSelectAll={collecting.start}
        onClear={() => selection.set([])}
      >
        <CollectingState of={collecting} />
        <FailedCalls failed={bulk.failed} onDismiss={bulk.dismiss} />
      </SelectionBar>
    </div>
  );
}

/** The keys of the findings that are shown, in the order of the page. */
function keysIn(list: HTMLElement | null): readonly string[] {
  return [...(list?.querySelectorAll<HTMLElement>('a[data-key]') ?? [])].map(
    ({ dataset }) => dataset['key'] ?? '',
  );
}

interface HeadProps {
  readonly findings: readonly WorkspaceFinding[];
  readonly selection: ReturnType<typeof useSelection>;
}

function Head({ findings, selection }: HeadProps) {
  const count = findings.filter(({ findingKey }) => selection.ids.has(findingKey)).length;
  return (
    <div className="flex h-9 pointer-coarse:h-11 items-center rounded-t border-b border-line bg-sunken text-small text-quiet print:hidden">
      <span className="flex h-full w-9 shrink-0">
        <InlineCheckbox
          label={`Select all ${findings.length.toLocaleString('en')} loaded`}
          state={count === 0 ? 'none' : count === findings.length ? 'all' : 'some'}
          onToggle={() => selection.toggleAll(findings.map(({ findingKey }) => findingKey))}
        />
      </span>
      <div aria-hidden="true" className={columnsLook}>
        <span>Severity</span>
        <span>Finding</span>
        <span className="hidden lg:block">Status</span>
        <span className="hidden text-right lg:block">First seen</span>
      </div>
    </div>
  );
}

function CollectingState({ of: { collected, total, error, cancel } }: { readonly of: Collecting }) {
  return (
    <>
      <div role="status">
        {collected === null ? null : (
          <p className="flex flex-wrap items-center gap-x-4 border-t border-line px-3 py-1.5">
            <span className="nums">
              Selecting: {collected.toLocaleString('en')} of {total.toLocaleString('en')}
            </span>
            <button
              type="button"
              onClick={cancel}
              className="min-h-6 pointer-coarse:min-h-11 text-accent-text underline"
            >
              Cancel
            </button>
          </p>
        )}
      </div>
      {error === null ? null : (
        <p role="alert" className="border-t border-line bg-danger-soft px-3 py-1.5">
          {messageOf(error)}
        </p>
      )}
    </>
  );
}
