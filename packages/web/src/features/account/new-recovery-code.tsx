/** Replaces the recovery code; requires the password. The new code is shown once, in a dialog. */
import { useState } from 'react';
import { RecoveryCode } from '../auth/recovery-code.tsx';
import { ask } from '../../lib/api.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { PasswordField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { OwnUsername } from './own-username.tsx';

export function NewRecoveryCode({ email }: { readonly email: string }) {
  const [code, setCode] = useState<string | null>(null);
  async function replace({ password = '' }: Fields) {
    const { recoveryCode } = await ask('replaceRecoveryCode', { body: { password } });
    setCode(recoveryCode);
  }
  return (
    <>
      <Form onSend={replace} clears label="New recovery code" className="max-w-md">
        <OwnUsername email={email} />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <div>
          <SubmitButton look="plain">Create new recovery code</SubmitButton>
        </div>
      </Form>
      <Dialog isOpen={code !== null} onClose={() => setCode(null)} title="Save your recovery code" mustStay>
        <RecoveryCode code={code ?? ''} email={email} onKept={() => setCode(null)} />
      </Dialog>
    </>
  );
}
