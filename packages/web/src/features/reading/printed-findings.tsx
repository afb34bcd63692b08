/** The findings for print, each in full. */
import { counted } from '../../lib/format.ts';
import { usePrinting } from '../../ui/use-printing.ts';
import type { Entry } from './entries.ts';
import { FindingArticle } from './finding-article.tsx';

const PRINTED_MAX = 1000;

export interface PrintedFindingsProps {
  readonly shown: readonly Entry[];
  readonly total: number;
  readonly hasExports: boolean;
}

export function PrintedFindings({ shown, total, hasExports }: PrintedFindingsProps) {
  if (!usePrinting()) return null;
  if (shown.length > PRINTED_MAX) {
    return (
      <p className="hidden print:block">
        This page prints at most {counted(PRINTED_MAX, 'finding')}, and {shown.length.toLocaleString('en')}{' '}
        are shown.{' '}
        {hasExports ? ' Print the HTML export instead: it contains all of them.' : ' Filter them first.'}
      </p>
    );
  }
  return (
    <div className="hidden flex-col gap-8 print:flex">
      {shown.length < total ? (
        <p>
          {shown.length} of {counted(total, 'finding')}, as filtered.
        </p>
      ) : null}
      {shown.map(({ finding }) => (
        <FindingArticle key={finding.id} finding={finding} headingId={`printed-${finding.id}`} isPrinted />
      ))}
    </div>
  );
}
