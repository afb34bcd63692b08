/** What needs attention: a heading for each kind, and a link for each item. */
import { visibleLine } from '@svc/report/reading/visible-text';
import { SeverityMark } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import type { AttentionGroup, AttentionItem } from './attention.ts';

const times = {
  severe: 'first seen',
  scans: 'started',
  lapsing: 'open again',
  shares: 'ends',
} as const;

export function AttentionList({ groups }: { readonly groups: readonly AttentionGroup[] }) {
  if (groups.length === 0)
    return <p className="text-quiet">Nothing needs attention: no new severe findings, no deadlines.</p>;
  return (
    <div className="flex flex-col gap-4">
      {groups.map(({ id, title, items, more }) => (
        <section key={id} aria-labelledby={`attention-${id}`} className="flex flex-col gap-1">
          <h3 id={`attention-${id}`} className="font-strong">
            {title}
          </h3>
          <ul className="divide-y divide-line">
            {items.map((item) => (
              <Item key={item.key} item={item} timeLabel={times[id]} />
            ))}
            {more ? (
              <li className="py-1.5">
                <a href={more.href} className="text-accent-text underline">
                  {more.label}
                </a>
              </li>
            ) : null}
          </ul>
        </section>
      ))}
    </div>
  );
}

function Item({ item, timeLabel }: { readonly item: AttentionItem; readonly timeLabel: string }) {
  const { href, severity, place, at } = item;
  const title = visibleLine(item.title);
  return (
    <li className="group relative flex flex-col gap-0.5 py-1.5 hover:bg-hover">
      <a
        href={href}
        dir="auto"
        title={title}
        className="truncate group-hover:underline after:absolute after:inset-0"
      >
        {title}
      </a>
      <span className="flex flex-wrap items-center gap-x-3 text-small text-quiet">
        {severity ? <SeverityMark severity={severity} /> : null}
        <bdi className="max-w-full truncate">{visibleLine(place)}</bdi>
        <span className="relative">
          {timeLabel} <Time at={at} />
        </span>
      </span>
    </li>
  );
}
