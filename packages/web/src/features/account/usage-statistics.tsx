/** The setting that turns usage statistics of this browser on or off. */
import { useState } from 'react';
import { setCounting, countingDisabledBy } from '../../lib/analytics.ts';
import { Checkbox } from '../../ui/field.tsx';

/** Reasons that nobody can change on this page. */
const reasons = {
  signal: 'This browser asks not to be tracked, so it sends no statistics.',
  storage:
    'This browser blocks storage for this site, so it cannot keep your choice and sends no statistics.',
} as const;

export function UsageStatistics() {
  const [disabledBy, setDisabledBy] = useState(countingDisabledBy);
  const reason = disabledBy === null || disabledBy === 'person' ? undefined : reasons[disabledBy];
  function choose(isOn: boolean) {
    setCounting(isOn);
    setDisabledBy(countingDisabledBy());
  }
  return (
    <>
      <Checkbox
        label="Send usage statistics from this browser"
        checked={disabledBy === null}
        disabled={reason !== undefined}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {reason !== undefined ? (
        <p>{reason}</p>
      ) : (
        <p>
          The service counts per day how often reports are opened, watched or exported, and how often share
          links are created, previewed or revoked. It also counts finding status changes and new workspaces.
          It keeps these counts for 90 days, but not who did what, or in which report.{' '}
          <a href="/docs#sendAnalytics" className="text-accent-text underline">
            View all fields that are sent
          </a>
        </p>
      )}
    </>
  );
}
