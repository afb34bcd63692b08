/** Changes the password; requires the current one. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { NewPasswordField } from '../auth/new-password-field.tsx';
import { ask, queryKey } from '../../lib/api.ts';
import { Checkbox, PasswordField } from '../../ui/field.tsx';
import { Form, SubmitButton, type Fields } from '../../ui/form.tsx';
import { Notice } from '../../ui/notice.tsx';
import { OwnUsername } from './own-username.tsx';

export function ChangePassword({ email }: { readonly email: string }) {
  const queries = useQueryClient();
  const [isChanged, setIsChanged] = useState(false);
  async function change({ password = '', newPassword = '', revokeDevices }: Fields) {
    setIsChanged(false);
    const body = { password, newPassword, revokeDevices: revokeDevices !== undefined };
    await ask('changePassword', { body });
    // Not awaited, so that the form is cleared and its notice appears in one step.
    void queries.invalidateQueries({ queryKey: queryKey('listSessions') });
    void queries.invalidateQueries({ queryKey: queryKey('listDevices') });
    setIsChanged(true);
  }
  return (
    <Form onSend={change} clears label="Change password" className="max-w-md items-stretch">
      <OwnUsername email={email} />
      <PasswordField label="Current password" name="password" autoComplete="current-password" required />
      <NewPasswordField label="New password" name="newPassword" />
      <Checkbox name="revokeDevices" label="Also revoke all devices. You must link each one again." />
      <div>
        <SubmitButton look="plain">Change password</SubmitButton>
      </div>
      {isChanged ? (
        <Notice tone="good">
          <p>Password changed. Every other session has ended.</p>
        </Notice>
      ) : null}
    </Form>
  );
}
