/** A block of code, with line numbers if known and the relevant lines marked. */
import type { LineNumbers } from '@svc/report/reading/snippets';
import { visibleText } from '@svc/report/reading/visible-text';
import { useEffect, useMemo, useState } from 'react';
import { InOrder } from '../../ui/in-order.tsx';
import { nextTask } from '../../ui/next-task.ts';
import { COLOURED_LENGTH_MAX, linesOfRuns, type Colour, type Run } from './code-lines.ts';

/** The lines of a folded block. A block with up to four lines more is not folded. */
const LINES_SHOWN_MAX = 24;
const looks: Readonly<Record<Colour, string>> = {
  keyword: 'text-accent-text',
  string: 'text-good-text',
  number: 'text-warn-text',
  comment: 'text-quiet',
};

export interface CodeBlockProps {
  readonly text: string;
  /** The accessible name. */
  readonly label: string;
  readonly language?: string | undefined;
  readonly lines?: LineNumbers | undefined;
  /** Disables folding. */
  readonly isWhole?: boolean;
}

export function CodeBlock({ text, label, language, lines: numbers, isWhole = false }: CodeBlockProps) {
  const shown = useMemo(() => visibleText(text), [text]);
  const lines = linesOfRuns(useRuns(shown, language));
  const [isOpen, setIsOpen] = useState(false);
  const isFolded = !isWhole && !isOpen && lines.length > LINES_SHOWN_MAX + 4;
  const visible = isFolded ? lines.slice(0, LINES_SHOWN_MAX) : lines;
  return (
    <div className="rounded bg-sunken print:border print:border-line">
      <pre
        tabIndex={0}
        role="group"
        aria-label={label}
        className="overflow-x-auto rounded py-2 print:break-words print:whitespace-pre-wrap"
      >
        <code className="block w-max min-w-full print:w-auto">
          <InOrder of={visible}>
            {(line, at) => (
              <Line runs={line} number={numbers && numbers.first + at} marked={numbers?.marked} />
            )}
          </InOrder>
        </code>
      </pre>
      {isFolded ? (
        <button
          type="button"
          onClick={() => setIsOpen(true)}
          className="w-full rounded-b border-t border-line px-3 py-1.5 text-left text-quiet hover:text-text"
        >
          Show all {lines.length} lines
        </button>
      ) : null}
    </div>
  );
}

interface LineProps {
  readonly runs: readonly Run[];
  readonly number: number | undefined;
  readonly marked: LineNumbers['marked'];
}

/** Forced colours remove the background, so an outline marks the line. */
const markedLook = 'bg-chosen -outline-offset-1 forced-colors:outline-1 forced-colors:outline-[Highlight]';

function Line({ runs, number, marked }: LineProps) {
  const isMarked = number !== undefined && marked !== undefined && number >= marked[0] && number <= marked[1];
  return (
    <span className={`block pr-3 ${isMarked ? markedLook : ''} ${number === undefined ? 'pl-3' : ''}`}>
      {number === undefined ? null : (
        <span
          data-line={number}
          aria-hidden="true"
          className="inline-block w-12 pr-3 text-right text-quiet select-none before:content-[attr(data-line)]"
        />
      )}
      <InOrder of={runs}>
        {({ text, colour }) => <span className={colour && looks[colour]}>{text}</span>}
      </InOrder>
      {'\n'}
    </span>
  );
}

/** Plain until the highlighter is loaded. */
function useRuns(text: string, language: string | undefined): readonly Run[] {
  const [coloured, setColoured] = useState<{ readonly of: string; readonly runs: readonly Run[] } | null>(
    null,
  );
  useEffect(() => {
    if (language === undefined || text.length > COLOURED_LENGTH_MAX) return undefined;
    let isWanted = true;
    // Without the highlighter the code stays plain.
    void import('./highlight.ts').then(
      async ({ runsOf }) => {
        await nextTask();
        if (isWanted) setColoured({ of: text, runs: runsOf(text, language) });
      },
      () => undefined,
    );
    return () => {
      isWanted = false;
    };
  }, [text, language]);
  return coloured?.of === text ? coloured.runs : [{ text }];
}
