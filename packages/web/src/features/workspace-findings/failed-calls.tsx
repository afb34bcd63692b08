/** The calls of a decision that failed: project, report, and what to do. */
import type { ErrorCode } from '@svc/contract';
import { isApiError } from '../../lib/api.ts';
import { counted } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { messageOf } from '../../ui/failure.tsx';
import type { FailedCall } from './bulk-decision.ts';

const CHANGED = 'Its findings have changed. Clear the selection, select them again and set the status.';
const GONE = 'The report was deleted or has expired. Clear the selection and select again.';

const advice: Readonly<Partial<Record<ErrorCode, string>>> = {
  CONFLICT: CHANGED,
  VALIDATION_FAILED: CHANGED,
  NOT_FOUND: GONE,
  REPORT_EXPIRED: GONE,
  FORBIDDEN: 'You are not allowed to triage this report. Ask an owner of the workspace.',
};

export interface FailedCallsProps {
  readonly failed: readonly FailedCall[];
  readonly onDismiss: () => void;
}

export function FailedCalls({ failed, onDismiss }: FailedCallsProps) {
  const count = failed.reduce((sum, { findings }) => sum + findings.length, 0);
  return (
    <div role="alert">
      {failed.length === 0 ? null : (
        <div className="flex flex-col gap-1 border-t border-line bg-danger-soft px-3 py-2">
          <div className="flex flex-wrap items-center justify-between gap-x-4">
            <p className="font-strong">
              {counted(count, 'finding')} not changed in {counted(failed.length, 'report')}.
            </p>
            <Button look="quiet" onClick={onDismiss}>
              Dismiss
            </Button>
          </div>
          <ul aria-label="Reports that failed" tabIndex={0} className="max-h-40 overflow-y-auto">
            {failed.map(({ reportId, projectName, findings, error }) => (
              <li key={`${reportId} ${findings[0]?.findingKey}`} className="py-0.5">
                <a href={`/reports/${reportId}`} className="underline underline-offset-2">
                  <bdi>{projectName}</bdi>, {counted(findings.length, 'finding')}
                </a>
                : {adviceFor(error)}
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}

/** Findings of failed calls stay selected, so setting the status again repeats only those. */
function adviceFor(error: unknown): string {
  if (isApiError(error)) {
    const known = advice[error.code];
    if (known !== undefined) return known;
  }
  return `${messageOf(error)} The findings are still selected.`;
}
