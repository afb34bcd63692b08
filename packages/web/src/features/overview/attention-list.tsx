/** What needs attention: a heading for each kind, and a link for each item. */
import { visibleLine } from '@svc/report/reading/visible-text';
import { useState } from 'react';
import { SeverityMark } from '../../ui/severity.tsx';
import { Time } from '../../ui/time.tsx';
import { LISTED_MAX, moreLabel, type AttentionGroup, type AttentionItem } from './attention.ts';

export function AttentionList({ groups }: { readonly groups: readonly AttentionGroup[] }) {
  if (groups.length === 0)
    return (
      <p className="text-quiet">
        Nothing needs attention: no new severe findings, no incomplete scans, no deadlines.
      </p>
    );
  return (
    <div className="flex flex-col gap-4">
      {groups.map((group) => (
        <Group key={group.id} group={group} />
      ))}
    </div>
  );
}

function Group({ group: { id, title, items, more } }: { readonly group: AttentionGroup }) {
  const [isWhole, setIsWhole] = useState(false);
  const shown = isWhole ? items : items.slice(0, LISTED_MAX);
  const hidden = items.length - shown.length;
  return (
    <section aria-labelledby={`attention-${id}`} className="flex flex-col gap-1">
      <h3 id={`attention-${id}`} className="font-strong">
        {title}
      </h3>
      <ul className="divide-y divide-line">
        {shown.map((item) => (
          <Item key={item.key} item={item} />
        ))}
        {more ? (
          <li className="py-1.5">
            <a href={more.href} className="text-accent-text underline">
              {more.label}
            </a>
          </li>
        ) : null}
        {hidden > 0 ? (
          <li className="py-1.5">
            <button
              type="button"
              onClick={() => setIsWhole(true)}
              className="text-accent-text underline pointer-coarse:min-h-11"
            >
              {moreLabel(hidden)}
            </button>
          </li>
        ) : null}
      </ul>
    </section>
  );
}

function Item({ item }: { readonly item: AttentionItem }) {
  const { href, severity, place, timeLabel, at } = item;
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
