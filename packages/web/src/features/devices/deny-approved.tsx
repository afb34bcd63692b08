/** An approval can be taken back until the device has come for its credential. */
import { useQueryClient } from '@tanstack/react-query';
import { useUser } from '../auth/session.ts';
import { ask, isRefusal, queryKey } from '../../lib/api.ts';
import { Form, SubmitButton } from '../../ui/form.tsx';

export function DenyApproved({ id, deviceName }: { readonly id: string; readonly deviceName: string }) {
  const queries = useQueryClient();
  const user = useUser();
  if (!user) return null;
  async function deny() {
    try {
      await ask('denyDeviceLink', { params: { id } });
    } finally {
      await queries.invalidateQueries({ queryKey: queryKey('getDeviceLink', { params: { id } }) });
    }
  }
  return (
    <Form
      onSend={deny}
      wordsFor={(error) =>
        isRefusal(error, 'DEVICE_LINK_ALREADY_CONSUMED')
          ? 'It is connected already. Revoke it in your settings.'
          : undefined
      }
      label={`Deny “${deviceName}”`}
      className="items-start"
    >
      <p className="text-quiet">You did not mean to? Until the terminal has gone on it can be undone.</p>
      <SubmitButton look="plain">Deny after all</SubmitButton>
    </Form>
  );
}
