/** The banner above the sample report: explains the sample and switches between its views. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { counted } from '../../lib/format.ts';
import { readers, sample, type Reader } from './sample.ts';

const labels: Readonly<Record<Reader, string>> = {
  team: 'Team view',
  customer: 'Customer view',
};

const shown = sample.customer.findings?.length ?? 0;
const all = sample.team.findings?.length ?? 0;

const descriptions: Readonly<Record<Reader, string>> = {
  team: `The team sees all ${counted(all, 'finding')} with evidence, code and history.`,
  customer: `The share link shows ${shown} of ${all} findings, the critical and high ones. It hides code, file names, reproduction steps and the project name. The service created this view from the same report, as it does for every share link.`,
};

export interface SampleFrameProps {
  readonly reader: Reader;
  /** The next action, such as signing up. */
  readonly action: ReactNode;
  /** The report. */
  readonly children: ReactNode;
}

export function SampleFrame({ reader, action, children }: SampleFrameProps) {
  const navigate = useNavigate();
  const chosen = useRef<HTMLInputElement>(null);
  const before = useRef(reader);
  // Shows the choice immediately, though the report may take a moment.
  const [choice, setChoice] = useState({ at: reader, next: reader });
  if (choice.at !== reader) setChoice({ at: reader, next: reader });
  useEffect(() => {
    // The heading of the other report has taken the focus; return it to the radio button.
    if (before.current !== reader) chosen.current?.focus({ preventScroll: true });
    before.current = reader;
  }, [reader]);
  return (
    <>
      <section aria-label="Sample report" className="border-b border-line bg-surface print:hidden">
        <div className="mx-auto flex w-full max-w-[100rem] flex-wrap items-center gap-x-8 gap-y-2 px-4 py-3 sm:px-6">
          <p>
            <span className="font-strong">This is a sample.</span> An AI agent scanned a fictional web shop.
          </p>
          <fieldset className="flex flex-wrap gap-x-6">
            <legend className="sr-only">View</legend>
            {readers.map((each) => (
              <label
                key={each}
                className="flex min-h-8 pointer-coarse:min-h-11 cursor-pointer items-center gap-2"
              >
                <input
                  ref={each === reader ? chosen : null}
                  type="radio"
                  name="reader"
                  checked={each === choice.next}
                  onChange={() => {
                    setChoice({ at: reader, next: each });
                    void navigate({
                      to: '/sample',
                      search: each === 'team' ? {} : { as: each },
                      resetScroll: false,
                    });
                  }}
                  className="size-4 shrink-0 accent-accent"
                />
                {labels[each]}
              </label>
            ))}
          </fieldset>
          <div className="max-lg:order-last lg:ml-auto">{action}</div>
          <p className="basis-full text-quiet">
            <span className="block measure">{descriptions[reader]}</span>
          </p>
        </div>
      </section>
      {children}
    </>
  );
}
