/** Between having a new recovery code and going on as the account that it belongs to. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import type { User } from '@svc/contract';
import { useEffect } from 'react';
import { goingOn } from '../../lib/next.ts';
import { Page } from '../../ui/page.tsx';
import { RecoveryCode } from './recovery-code.tsx';
import { setUser } from './session.ts';

export interface KeepCodePageProps {
  readonly user: User;
  readonly recoveryCode: string;
  readonly next: string | undefined;
}

export function KeepCodePage({ user, recoveryCode, next }: KeepCodePageProps) {
  const queries = useQueryClient();
  const router = useRouter();
  useEffect(() => setUser(queries, user), [queries, user]);
  return (
    <Page title="Keep your recovery code" width="narrow">
      <RecoveryCode
        code={recoveryCode}
        email={user.email}
        onKept={() => void router.navigate(goingOn(next))}
      />
    </Page>
  );
}
