/** The table of contents with a search. */
import { useEffect, useRef, type ReactNode } from 'react';
import { inputShape } from '../../ui/field.tsx';
import { countOf, type Group } from './reference.ts';
import { useCurrent } from './use-current.ts';

export interface ContentsProps {
  /** The groups that match the search. */
  readonly groups: readonly Group[];
  /** The number of all operations. */
  readonly total: number;
  readonly wanted: string;
  readonly onWant: (text: string) => void;
}

export function Contents({ groups, total, wanted, onWant }: ContentsProps) {
  const current = useCurrent(groups.flatMap(({ operations }) => operations.map(({ id }) => id)));
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (list.current && current !== undefined)
      scrollListTo(list.current, list.current.querySelector(`[href="#${current}"]`));
  }, [current]);
  return (
    <nav
      aria-label="Contents"
      className="flex min-h-0 flex-col gap-3 lg:sticky lg:top-4 lg:max-h-[calc(100dvh-2rem)] lg:self-start print:hidden"
    >
      <search className="flex flex-col gap-1">
        <label htmlFor="api-search" className="font-strong">
          Search
        </label>
        <input
          id="api-search"
          type="search"
          value={wanted}
          autoComplete="off"
          spellCheck={false}
          aria-describedby="api-found"
          onChange={(event) => onWant(event.target.value)}
          className={inputShape}
        />
        <p id="api-found" role="status" className="nums text-small text-quiet">
          {countOf(groups)} of {total} operations
        </p>
      </search>
      <div ref={list} className="relative hidden min-h-0 flex-col gap-4 overflow-y-auto pb-4 pl-2 lg:flex">
        {wanted === '' ? (
          <ContentsList title="Basics">
            <ContentsLink id="conventions">Credentials and errors</ContentsLink>
          </ContentsList>
        ) : null}
        {groups.map(({ name, operations }) => (
          <ContentsList key={name} title={titleOf(name)}>
            {operations.map(({ id, summary }) => (
              <ContentsLink key={id} id={id} isCurrent={id === current}>
                {summary}
              </ContentsLink>
            ))}
          </ContentsList>
        ))}
        {wanted === '' ? (
          <ContentsList title="Objects">
            <ContentsLink id="objects">All objects</ContentsLink>
          </ContentsList>
        ) : null}
      </div>
    </nav>
  );
}

/** Scrolls only the list: `scrollIntoView` may scroll the page too. */
function scrollListTo(list: HTMLElement, link: Element | null): void {
  if (!(link instanceof HTMLElement)) return;
  const { offsetTop: top, offsetHeight: height } = link;
  const isSeen = top >= list.scrollTop && top + height <= list.scrollTop + list.clientHeight;
  if (!isSeen) list.scrollTo({ top: top - list.clientHeight / 2 });
}

export function titleOf(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function ContentsList({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <p className="pb-1 text-small text-quiet">{title}</p>
      <ul>{children}</ul>
    </div>
  );
}

function ContentsLink({
  id,
  isCurrent = false,
  children,
}: {
  readonly id: string;
  readonly isCurrent?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <li>
      <a
        href={`#${id}`}
        aria-current={isCurrent ? 'location' : undefined}
        className="-ml-2 block rounded px-2 py-0.5 hover:bg-hover aria-[current]:bg-chosen forced-colors:aria-[current]:underline"
      >
        {children}
      </a>
    </li>
  );
}
