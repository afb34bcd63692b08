/** A new password for whoever lost theirs and kept the recovery code; the code is replaced. */
import { useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { KeepCodePage } from '../features/auth/keep-code-page.tsx';
import { NewPasswordField } from '../features/auth/new-password-field.tsx';
import { OtherWaysIn } from '../features/auth/other-ways-in.tsx';
import { ask, isRefusal, type BodyFor } from '../lib/api.ts';
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
  if (recovered) return <KeepCodePage {...recovered} next={next} />;
  return (
    <Page key="form" title="Choose a new password" width="narrow">
      <p>
        Use the recovery code that you kept. You get a new code in its place. Every session of the account
        ends, and its devices are revoked.
      </p>
      <Form onSend={recover} wordsFor={wordsFor} label="Choose a new password">
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <TextField
          label="Recovery code"
          name="recoveryCode"
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
          required
          hint="Five groups of five letters and digits. Case and hyphens do not matter."
        />
        <NewPasswordField label="New password" name="newPassword" />
        <Checkbox
          name="keepDevices"
          label="Keep my devices connected. Leave this off if somebody else may have used your account."
        />
        <SubmitButton>Set the new password</SubmitButton>
      </Form>
      <OtherWaysIn except="recover" next={next} />
    </Page>
  );
}

function wordsFor(error: unknown): string | undefined {
  return isRefusal(error, 'UNAUTHENTICATED')
    ? 'The email or the recovery code is wrong. Only the newest code of an account works.'
    : undefined;
}
