/** The search over projects, reports, findings, pages and actions: a dialog with a combobox. */
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query';
import { useLocation, useRouter } from '@tanstack/react-router';
import type { ReportRead } from '@svc/contract';
import { useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import { copyText } from '../../lib/clipboard.ts';
import { query, queryKey, type BodyFor } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { inputShape } from '../../ui/field.tsx';
import { pageActions } from '../../ui/page-actions.ts';
import { useSettled } from '../../ui/use-settled.ts';
import { signOut, useUser } from '../auth/session.ts';
import {
  actionItems,
  findingItems,
  findingsWantedBy,
  matching,
  pageItems,
  projectItems,
  reportItems,
  workspaceFindingItems,
  type Group,
  type Item,
} from './items.ts';

export interface PaletteProps {
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** The current workspace; undefined while loading. */
  readonly workspaceId: string | undefined;
  readonly sections: readonly { readonly label: string; readonly to: string }[];
}

export function Palette({ isOpen, onClose, ...place }: PaletteProps) {
  return (
    <Dialog isOpen={isOpen} onClose={onClose} title="Search" shape="top">
      <Search onClose={onClose} {...place} />
    </Dialog>
  );
}

function Search({ onClose, workspaceId, sections }: Omit<PaletteProps, 'isOpen'>) {
  const [text, setText] = useState('');
  /** The result that the arrow keys reached. Results that arrive later do not change it. */
  const [reachedId, setReachedId] = useState<string | null>(null);
  const router = useRouter();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { group: findings, isSearching } = useFoundFindings(workspaceId, text);
  const groups = useGroups(workspaceId, sections, findings);
  const shown = useMemo(() => matching(groups, text), [groups, text]);
  const items = shown.flatMap((group) => group.items);
  const at = Math.max(
    0,
    items.findIndex((item) => item.id === reachedId),
  );
  const current = items[at];
  function choose({ run }: Item): void {
    onClose();
    if (typeof run !== 'string') {
      run();
      return;
    }
    router.history.push(run);
    router.history.flush();
    // A page that keeps its state in the URL follows only the browser's own events.
    const state: unknown = history.state;
    dispatchEvent(new PopStateEvent('popstate', { state }));
  }
  function press(event: KeyboardEvent): void {
    const last = items.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: at >= last ? 0 : at + 1,
      ArrowUp: at <= 0 ? last : at - 1,
    };
    const next = moves[event.key];
    if (next !== undefined) {
      setReachedId(items[next]?.id ?? null);
      list.current?.querySelectorAll('[role=option]')[next]?.scrollIntoView({ block: 'nearest' });
    } else if (event.key === 'Enter' && current) choose(current);
    else return;
    event.preventDefault();
  }
  return (
    <>
      <input
        type="text"
        role="combobox"
        aria-label="Search projects, reports, findings, pages and actions"
        aria-expanded={items.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={current && `${id}-${current.id.replaceAll(' ', '-')}`}
        aria-autocomplete="list"
        placeholder="Project, report, finding, page or action"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        data-focus-first
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setReachedId(null);
        }}
        onKeyDown={press}
        className={inputShape}
      />
      <div
        ref={list}
        id={`${id}-list`}
        role="listbox"
        aria-label="Results"
        className="-mx-2 max-h-[min(24rem,60dvh)] overflow-y-auto"
      >
        {shown.map((group) => (
          <Results
            key={group.label}
            group={group}
            idOf={(item) => `${id}-${item.id.replaceAll(' ', '-')}`}
            current={current}
            onChoose={choose}
          />
        ))}
      </div>
      <p role="status" className={items.length === 0 ? 'text-quiet' : 'sr-only'}>
        {items.length > 0
          ? `${items.length} results`
          : isSearching
            ? 'Searching …'
            : 'No results. Try fewer words.'}
      </p>
    </>
  );
}

interface ResultsProps {
  readonly group: Group;
  readonly idOf: (item: Item) => string;
  readonly current: Item | undefined;
  readonly onChoose: (item: Item) => void;
}

/** The focus stays in the input, so the results take clicks only, and the input handles their keys. */
function Results({ group: { label, items }, idOf, current, onChoose }: ResultsProps) {
  return (
    <div role="group" aria-label={label} className="px-2 pb-2">
      <p aria-hidden="true" className="px-2 py-1 text-small font-strong text-quiet">
        {label}
      </p>
      {items.map((item) => (
        // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
        <div
          key={item.id}
          id={idOf(item)}
          role="option"
          tabIndex={-1}
          aria-selected={item === current}
          onClick={() => onChoose(item)}
          className={`flex min-h-9 pointer-coarse:min-h-11 cursor-pointer items-center gap-x-3 rounded px-2 hover:bg-hover max-sm:flex-col max-sm:items-start max-sm:justify-center max-sm:py-1 ${item === current ? 'bg-chosen' : ''}`}
        >
          <span dir="auto" className="max-w-full min-w-0 truncate">
            {item.label}
          </span>
          <span className="shrink-0 truncate text-small max-sm:max-w-full sm:ml-auto sm:max-w-[60%] text-quiet">
            {item.detail}
          </span>
        </div>
      ))}
    </div>
  );
}

/** Calls wait until the text has not changed for this long. */
const TYPED_AFTER_MS = 200;

/** The findings of the workspace that the service finds for the text. */
function useFoundFindings(workspaceId = '', text: string) {
  const trimmed = text.trim();
  const settled = useSettled(trimmed, TYPED_AFTER_MS);
  const wanted = findingsWantedBy(settled);
  const { data, isPlaceholderData, isFetching } = useQuery({
    ...query('listWorkspaceFindings', { params: { id: workspaceId }, query: wanted ?? {} }),
    enabled: workspaceId !== '' && wanted !== null,
    placeholderData: keepPreviousData,
    throwOnError: false,
  });
  const areMatched = settled === trimmed && !isPlaceholderData;
  const findings = findingsWantedBy(trimmed) === null ? undefined : data?.findings;
  const group = useMemo<Group>(
    () => ({ label: 'Findings of this workspace', items: workspaceFindingItems(findings ?? []), areMatched }),
    [findings, areMatched],
  );
  return { group, isSearching: isFetching || settled !== trimmed };
}

/** Findings come from the open report and from the search, projects and reports from the lists of the service. */
function useGroups(
  workspaceId: string | undefined,
  sections: PaletteProps['sections'],
  findings: Group,
): readonly Group[] {
  const user = useUser();
  const queries = useQueryClient();
  const { pathname } = useLocation();
  const { data: projects } = useQuery({ ...query('listProjects'), throwOnError: false });
  const { data: reports } = useQuery({ ...query('listReports'), throwOnError: false });
  return useMemo(() => {
    if (!user) return [];
    const reportId = /^\/reports\/([^/]+)/.exec(pathname)?.[1];
    const read =
      reportId === undefined
        ? undefined
        : queries.getQueryData<ReportRead>(queryKey('getReport', { params: { id: reportId } }));
    const listed: BodyFor<'listReports'>['reports'] = reports?.reports ?? [];
    return [
      { label: 'Projects', items: projectItems(projects?.projects ?? []) },
      ...(typeof read === 'object' ? [{ label: 'Findings of this report', items: findingItems(read) }] : []),
      findings,
      { label: 'Reports', items: reportItems(listed.filter((report) => 'access' in report)) },
      {
        label: 'Actions',
        items: [
          ...actionItems(pageActions()),
          {
            id: 'action copy',
            label: 'Copy link to this page',
            detail: '',
            run: () => void copyText(location.href),
          },
          { id: 'action sign-out', label: 'Sign out', detail: '', run: () => void signOut() },
        ],
      },
      { label: 'Pages', items: pageItems(user, workspaceId, sections) },
    ];
  }, [user, queries, pathname, projects, reports, workspaceId, sections, findings]);
}
