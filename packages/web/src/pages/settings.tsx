/** What belongs to the account: who it is, how it is kept, where it is signed in, and its end. */
import { useState } from 'react';
import { ChangePassword } from '../features/account/change-password.tsx';
import { Counting } from '../features/account/counting.tsx';
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
      <Page key="deleted" title="Your account is deleted" width="narrow">
        <p>Its devices, its sessions and its personal workspace are gone with it.</p>
      </Page>
    );
  }
  if (!user) return null;
  return (
    <Page key="settings" title="Settings">
      <Section id="profile" title="Profile" note="Other members of your workspaces see both.">
        <Facts
          facts={[
            ['Email', user.email],
            ['Name', user.displayName],
            ['Here since', <Time key="since" at={user.createdAt} />],
          ]}
        />
      </Section>
      <Section id="workspaces" title="Workspaces" note="A team workspace is shared with those you invite.">
        <Workspaces />
      </Section>
      <Section id="password" title="Password" note="Every other session ends when it changes.">
        <ChangePassword email={user.email} />
      </Section>
      <Section
        id="recovery-code"
        title="Recovery code"
        note="The one way back in when the password is lost. A new one ends the old one."
      >
        <NewRecoveryCode email={user.email} />
      </Section>
      <Section id="sessions" title="Sessions" note="Browsers that are signed in to your account.">
        <Sessions />
      </Section>
      <Section id="devices" title="Devices" note="Machines that may upload reports as you.">
        <Devices />
      </Section>
      <Section id="counting" title="Counting" note="For this browser alone.">
        <Counting />
      </Section>
      <Section id="delete" title="Delete account">
        <DeleteAccount user={user} onDeleted={() => setIsDeleted(true)} />
      </Section>
    </Page>
  );
}
