/** What the severities mean, for readers who do not work with security reports. */
import { severities } from '@svc/contract/enums';
import { severityMeanings } from '@svc/report/reading/labels';
import { SeverityMark } from '../../ui/severity.tsx';
import { usePrinting } from '../../ui/use-printing.ts';

export function Levels() {
  return (
    <details className="max-w-3xl" {...(usePrinting() ? { open: true } : {})}>
      <summary className="text-quiet">What the severities mean</summary>
      <dl className="mt-2 flex flex-col gap-2">
        {severities.map((severity) => (
          <div key={severity} className="flex gap-3 max-sm:flex-col max-sm:gap-0">
            <dt className="w-24 shrink-0">
              <SeverityMark severity={severity} />
            </dt>
            <dd>{severityMeanings[severity]}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
