/** Tabs that are links, so that each has a URL of its own. */
import { Link, type LinkProps } from '@tanstack/react-router';

export interface LinkTabsProps {
  /** The accessible name. */
  readonly label: string;
  readonly tabs: readonly { readonly label: string; readonly to: LinkProps; readonly isCurrent: boolean }[];
}

/** On a phone, the current tab can be one of those that need scrolling. */
function showTab(tab: HTMLElement | null): void {
  const frame = tab?.closest('nav');
  if (tab && frame) frame.scrollLeft = tab.offsetLeft - frame.clientWidth / 3;
}

export function LinkTabs({ label, tabs }: LinkTabsProps) {
  return (
    <nav aria-label={label} className="relative -mt-2 overflow-x-auto border-b border-line print:hidden">
      <ul className="flex gap-x-1">
        {tabs.map(({ label: name, to, isCurrent }) => (
          <li key={name}>
            <Link
              ref={isCurrent ? showTab : undefined}
              {...to}
              resetScroll={false}
              // Otherwise the router also marks a tab whose search is a part of the current one.
              activeOptions={{ exact: true }}
              aria-current={isCurrent ? 'page' : undefined}
              className="flex min-h-9 pointer-coarse:min-h-11 items-center border-b-2 whitespace-nowrap border-transparent px-2 text-quiet -outline-offset-2 hover:text-text aria-[current=page]:border-accent aria-[current=page]:font-strong aria-[current=page]:text-text"
            >
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
