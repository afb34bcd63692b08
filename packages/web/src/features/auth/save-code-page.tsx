/** Shows a new recovery code before the user continues. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { User } from '@svc/contract';
import { useEffect } from 'react';
import { nextLocation } from '../../lib/next.ts';
import { Page } from '../../ui/page.tsx';
import { RecoveryCode } from './recovery-code.tsx';
import { setUser } from './session.ts';

export interface SaveCodePageProps {
  readonly user: User;
  readonly recoveryCode: string;
  readonly next: string | undefined;
}

export function SaveCodePage({ user, recoveryCode, next }: SaveCodePageProps) {
  const queries = useQueryClient();
  const router = useRouter();
  useEffect(() => setUser(queries, user), [queries, user]);
  return (
    <Page title="Save your recovery code" width="narrow">
      <RecoveryCode
        code={recoveryCode}
        email={user.email}
        onKept={() => void router.navigate(nextLocation(next))}
      />
    </Page>
  );
}
