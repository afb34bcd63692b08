/** What a log contains, before it is uploaded. */
import { severities } from '@svc/contract/enums';
import type { LogSummary } from '@svc/report/making/read-log';
import { Notice } from '../../ui/notice.tsx';
import { SeverityGlyph, severityLooks } from '../../ui/severity.tsx';

export function LogFacts({ summary }: { readonly summary: LogSummary }) {
  const { name, tools, counts, weakCount, redactions, warnings } = summary;
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  return (
    <div className="flex flex-col gap-2">
      <p>
        <bdi className="font-strong break-all">{name}</bdi>: {counted(total, 'finding')}
        {tools.length > 0 ? ` from ${listed(tools)}` : ''}
      </p>
      <ul aria-label="Findings by severity" className="flex flex-wrap gap-x-4 empty:hidden">
        {severities
          .filter((severity) => counts[severity] > 0)
          .map((severity) => (
            <li key={severity} className="flex items-center gap-1.5">
              <SeverityGlyph severity={severity} />
              <span className="nums">{counts[severity].toLocaleString('en')}</span>
              {severityLooks[severity].word.toLowerCase()}
            </li>
          ))}
      </ul>
      {redactions > 0 ? <p>Secrets were redacted in {counted(redactions, 'place')}.</p> : null}
      {weakCount > 0 ? (
        <Notice tone="warn">
          {counted(weakCount, 'finding')} can be recognized only by {weakCount === 1 ? 'its' : 'their'}{' '}
          message, because the browser has no checkout. Decisions on such findings don’t carry over to later
          reports. Run <code>svc scan --sarif</code> in the repository to track all of them.
        </Notice>
      ) : null}
      {warnings.length > 0 ? (
        <details>
          <summary className="py-1">{counted(warnings.length, 'note')} about the import</summary>
          <ul className="list-disc pl-5">
            {warnings.map((warning) => (
              <li key={warning}>{warning}</li>
            ))}
          </ul>
        </details>
      ) : null}
    </div>
  );
}

const TOOLS_SHOWN = 3;

function listed(tools: readonly string[]): string {
  const more = tools.length - TOOLS_SHOWN;
  return [...tools.slice(0, TOOLS_SHOWN), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

function counted(count: number, what: string): string {
  return `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
}
