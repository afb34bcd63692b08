/** What stands above the sample report: that it is one, who is reading, and what the link keeps from a customer. */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { counted } from '../../lib/words.ts';
import { readers, sample, type Reader } from './sample.ts';

const words: Readonly<Record<Reader, string>> = {
  team: 'As the team reads it',
  customer: 'As a customer reads it over a link',
};

const shown = sample.customer.findings?.length ?? 0;
const all = sample.team.findings?.length ?? 0;

const told: Readonly<Record<Reader, string>> = {
  team: `Nothing is left out: ${counted(all, 'finding')} with evidence, code and history.`,
  customer: `The link shows the ${shown} critical and high findings of ${all}, and keeps back code, file names, steps to repeat and the name of the project. The service made this view from the same report, as it does for every link.`,
};

export interface SampleFrameProps {
  readonly reader: Reader;
  /** What to do next. */
  readonly action: ReactNode;
  /** The report. */
  readonly children: ReactNode;
}

export function SampleFrame({ reader, action, children }: SampleFrameProps) {
  const navigate = useNavigate();
  const chosen = useRef<HTMLInputElement>(null);
  const before = useRef(reader);
  // Shown as chosen at once, though the report may take a moment.
  const [choice, setChoice] = useState({ at: reader, next: reader });
  if (choice.at !== reader) setChoice({ at: reader, next: reader });
  useEffect(() => {
    // The heading of the other report has taken the focus; whoever chose it is still here.
    if (before.current !== reader) chosen.current?.focus({ preventScroll: true });
    before.current = reader;
  }, [reader]);
  return (
    <>
      <section aria-label="Sample report" className="border-b border-line bg-surface print:hidden">
        <div className="mx-auto flex w-full max-w-[100rem] flex-wrap items-center gap-x-8 gap-y-2 px-4 py-3">
          <p>
            <span className="font-strong">This is a sample.</span> An AI agent scanned a web shop that does
            not exist.
          </p>
          <fieldset className="flex flex-wrap gap-x-6">
            <legend className="sr-only">Who reads it</legend>
            {readers.map((each) => (
              <label key={each} className="flex min-h-8 cursor-pointer items-center gap-2">
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
                {words[each]}
              </label>
            ))}
          </fieldset>
          <div className="max-sm:order-last sm:ml-auto">{action}</div>
          <p className="max-w-3xl basis-full text-quiet">{told[reader]}</p>
        </div>
      </section>
      {children}
    </>
  );
}
