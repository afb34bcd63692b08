/** Whether what is done in this browser is counted. */
import { useState } from 'react';
import { chooseCounting, refusedBy } from '../../lib/analytics.ts';
import { Checkbox } from '../../ui/field.tsx';

export function Counting() {
  const [refused, setRefused] = useState(refusedBy);
  function choose(isOn: boolean) {
    chooseCounting(isOn);
    setRefused(refusedBy());
  }
  return (
    <>
      <Checkbox
        label="Count how this browser is used"
        checked={refused === null}
        disabled={refused === 'browser'}
        onChange={(event) => choose(event.currentTarget.checked)}
      />
      {refused === 'browser' ? (
        <p>This browser asks not to be tracked, so nothing is counted.</p>
      ) : (
        <p>
          Reports that are opened, watched or saved, links that are made, previewed or revoked, findings that
          are moved on and new workspaces each add one to the count of their day. The service keeps these
          counts for 90 days, and not who did it or to what.{' '}
          <a href="/docs#sendAnalytics" className="text-accent-text underline">
            All that is sent
          </a>
        </p>
      )}
    </>
  );
}
