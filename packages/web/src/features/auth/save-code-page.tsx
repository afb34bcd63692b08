/** Shows a new recovery code before the user continues. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { User } from '@svc/contract';
import { useEffect, useState } from 'react';
import { nextLocation } from '../../lib/next.ts';
import { Page } from '../../ui/page.tsx';
import { RecoveryCode } from './recovery-code.tsx';
import { expectSession, SessionLostError, setUser } from './session.ts';

export interface SaveCodePageProps {
  readonly user: User;
  readonly recoveryCode: string;
  readonly next: string | undefined;
}

/** The code can’t be shown again, so it is shown before anything that may fail. */
export function SaveCodePage({ user, recoveryCode, next }: SaveCodePageProps) {
  const queries = useQueryClient();
  const router = useRouter();
  const [isChecked, setIsChecked] = useState(false);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    async function enter(): Promise<void> {
      try {
        await expectSession();
      } catch (error) {
        // Other failures say nothing about the session. The next page shows them if they last.
        if (error instanceof SessionLostError) return setProblem(error.message);
      }
      setUser(queries, user);
    }
    void enter().finally(() => setIsChecked(true));
  }, [queries, user]);
  function leave() {
    const search = next === undefined ? {} : { next };
    void (problem === undefined
      ? router.navigate(nextLocation(next))
      : router.navigate({ to: '/login', search }));
  }
  return (
    <Page title="Save your recovery code" width="narrow">
      <RecoveryCode
        code={recoveryCode}
        email={user.email}
        isBusy={!isChecked}
        problem={problem}
        onKept={leave}
      />
    </Page>
  );
}
