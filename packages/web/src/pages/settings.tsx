/** Settings: profile, workspaces, password, recovery code, sessions, devices, statistics and account deletion. */
import { useState } from 'react';
import { ChangePassword } from '../features/account/change-password.tsx';
import { UsageStatistics } from '../features/account/usage-statistics.tsx';
import { DeleteAccount } from '../features/account/delete-account.tsx';
import { NewRecoveryCode } from '../features/account/new-recovery-code.tsx';
import { Sessions } from '../features/account/sessions.tsx';
import { useUser } from '../features/auth/session.ts';
import { Devices } from '../features/devices/devices.tsx';
import { Workspaces } from '../features/workspaces/workspaces.tsx';
import { Facts } from '../ui/facts.tsx';
import { Page } from '../ui/page.tsx';
import { Section } from '../ui/section.tsx';
import { Time } from '../ui/time.tsx';

export function SettingsPage() {
  const user = useUser();
  const [isDeleted, setIsDeleted] = useState(false);
  if (isDeleted) {
    return (
      <Page key="deleted" title="Account deleted" width="narrow">
        <p>Your devices, sessions and personal workspace were deleted with it.</p>
      </Page>
    );
  }
  if (!user) return null;
  return (
    <Page key="settings" title="Settings">
      <Section id="profile" title="Profile" note="Visible to other members of your workspaces.">
        <Facts
          facts={[
            ['Email', user.email],
            ['Name', user.displayName],
            ['Created', <Time key="since" at={user.createdAt} />],
          ]}
        />
      </Section>
      <Section
        id="workspaces"
        title="Workspaces"
        note="A team workspace is shared with the people you invite."
      >
        <Workspaces />
      </Section>
      <Section id="password" title="Password" note="Changing it ends every other session.">
        <ChangePassword email={user.email} />
      </Section>
      <Section
        id="recovery-code"
        title="Recovery code"
        note="The only way to recover your account if you lose your password. A new code replaces the old one."
      >
        <NewRecoveryCode email={user.email} />
      </Section>
      <Section id="sessions" title="Sessions" note="Browsers that are signed in to your account.">
        <Sessions />
      </Section>
      <Section id="devices" title="Devices" note="Machines that can upload reports to your account.">
        <Devices />
      </Section>
      <Section id="counting" title="Usage statistics" note="Applies to this browser only.">
        <UsageStatistics />
      </Section>
      <Section id="delete" title="Delete account">
        <DeleteAccount user={user} onDeleted={() => setIsDeleted(true)} />
      </Section>
    </Page>
  );
}
