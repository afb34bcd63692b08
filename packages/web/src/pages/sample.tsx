/** A sample report that needs no account, as the team sees it and as a customer sees it through a share link. */
import { Link, useSearch } from '@tanstack/react-router';
import { useUser } from '../features/auth/session.ts';
import { ReportReading } from '../features/reading/report-reading.tsx';
import { SampleFrame } from '../features/sample/sample-frame.tsx';
import { readerIn, sample } from '../features/sample/sample.ts';
import { offersSignUp } from '../lib/sign-up-policy.ts';
import { buttonLook } from '../ui/button.tsx';

export function SamplePage() {
  const user = useUser();
  const reader = readerIn(useSearch({ from: '/sample' }).as);
  return (
    <SampleFrame
      reader={reader}
      action={
        user || !offersSignUp() ? null : (
          <Link to="/signup" className={buttonLook('primary')}>
            Create account
          </Link>
        )
      }
    >
      {/* Keyed by view, since filters and findings of the two views differ. */}
      <ReportReading key={reader} report={sample[reader]} isWhole documentTitle="Sample report" />
    </SampleFrame>
  );
}
