/** The findings on paper, each with all that it says. */
import { counted } from '../../lib/words.ts';
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
        {counted(shown.length, 'finding')} are more than this page prints.
        {hasExports ? ' Print the HTML export: it holds all of them.' : ''}
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
