/** Sets a new password with the recovery code, which is then replaced. */
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { SaveCodePage } from '../features/auth/save-code-page.tsx';
import { NewPasswordField } from '../features/auth/new-password-field.tsx';
import { OtherWaysIn } from '../features/auth/other-ways-in.tsx';
import { ask, isApiError, type BodyFor } from '../lib/api.ts';
import { Checkbox, TextField } from '../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../ui/form.tsx';
import { Page } from '../ui/page.tsx';

export function RecoverPage() {
  const { next } = useSearch({ from: '/recover' });
  const [recovered, setRecovered] = useState<BodyFor<'recover'> | null>(null);
  async function recover({ email = '', recoveryCode = '', newPassword = '', keepDevices }: Fields) {
    const body = { email, recoveryCode, newPassword, keepDevices: keepDevices !== undefined };
    setRecovered(await ask('recover', { body }));
  }
  if (recovered) return <SaveCodePage {...recovered} next={next} />;
  return (
    <Page key="form" title="Reset password" width="narrow">
      <p>
        Enter your recovery code and choose a new password. This ends all sessions, revokes all devices and
        replaces the recovery code.
      </p>
      <Form onSend={recover} messageFor={messageFor} label="Reset password">
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <TextField
          label="Recovery code"
          name="recoveryCode"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          hint="Five groups of five letters and digits. Case and hyphens are ignored."
        />
        <NewPasswordField label="New password" name="newPassword" />
        <Checkbox
          name="keepDevices"
          label="Keep my devices connected. Leave this off if someone else may have used your account."
        />
        <SubmitButton>Set new password</SubmitButton>
      </Form>
      <OtherWaysIn except="recover" next={next} />
    </Page>
  );
}

function messageFor(error: unknown): string | undefined {
  return isApiError(error, 'UNAUTHENTICATED')
    ? 'Wrong email or recovery code. Check both; only the newest code works.'
    : undefined;
}
