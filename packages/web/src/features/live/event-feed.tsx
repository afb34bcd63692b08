/** The events of a scan, newest at the end. Scrolls with new events only while it is at its end. */
import { useLayoutEffect, useRef, useState } from 'react';
import { clockTime, exactTime, zoneAt } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { useNow } from '../../ui/time.tsx';
import type { FeedLine } from './progress.ts';

/** Only the newest events are listed; counts and phases include all of them. */
const LINES_SHOWN_MAX = 500;
const END_IS_WITHIN_PX = 8;

export function EventFeed({ lines, count }: { readonly lines: readonly FeedLine[]; readonly count: number }) {
  const scroller = useRef<HTMLDivElement>(null);
  /** The number of events when the user scrolled away from the end; null at the end. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const goToEnd = () => {
    if (scroller.current) scroller.current.scrollTop = scroller.current.scrollHeight;
  };
  useLayoutEffect(() => {
    if (leftAt === null) goToEnd();
  });
  const withoutFocus = leftAt === null ? 0 : count - leftAt;
  return (
    <section aria-labelledby="live-events" className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-baseline gap-x-3">
        <h2 id="live-events" className="text-lead font-strong">
          Events
        </h2>
        <p className="text-small text-quiet">Times in {zoneAt(useNow())}</p>
      </div>
      <div className="relative">
        <div
          ref={scroller}
          tabIndex={0}
          role="group"
          aria-labelledby="live-events"
          onScroll={({ currentTarget: { scrollHeight, scrollTop, clientHeight } }) => {
            const isAtEnd = scrollHeight - scrollTop - clientHeight < END_IS_WITHIN_PX;
            setLeftAt((before) => (isAtEnd ? null : (before ?? count)));
          }}
          className="h-[min(28rem,60vh)] overflow-y-auto border-y border-line py-2"
        >
          {lines.length === 0 ? <p className="text-quiet">No events yet.</p> : null}
          <ol>
            {lines.slice(-LINES_SHOWN_MAX).map((line) => (
              <Line key={line.key} line={line} />
            ))}
          </ol>
        </div>
        {withoutFocus > 0 ? (
          <Button look="primary" onClick={goToEnd} className="absolute right-4 bottom-3 shadow-float">
            {withoutFocus.toLocaleString('en')} new
          </Button>
        ) : null}
      </div>
    </section>
  );
}

function Line({ line: { at, text, times, isTrouble } }: { readonly line: FeedLine }) {
  const time = new Date(at);
  return (
    <li className="grid grid-cols-[5rem_1fr] gap-x-2 py-0.5">
      <time dateTime={at} title={exactTime(time)} className="font-mono text-quiet nums">
        {clockTime(time)}
      </time>
      <span>
        <span className={isTrouble ? 'text-warn-text' : ''}>{text}</span>
        {times > 1 ? <span className="text-quiet nums"> × {times.toLocaleString('en')}</span> : null}
      </span>
    </li>
  );
}
