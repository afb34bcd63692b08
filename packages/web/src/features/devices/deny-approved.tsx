/** Denies an approved device link, which is possible until the device fetches its credential. */
import { useQueryClient } from '@tanstack/react-query';
import { useUser } from '../auth/session.ts';
import { ask, isApiError, queryKey } from '../../lib/api.ts';
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
      messageFor={(error) =>
        isApiError(error, 'DEVICE_LINK_ALREADY_CONSUMED')
          ? 'This device is already connected. Revoke it in Settings.'
          : undefined
      }
      label={`Deny “${deviceName}”`}
      className="items-start"
    >
      <p className="text-quiet">
        Approved by mistake? You can still deny the device until its terminal has connected.
      </p>
      <SubmitButton look="plain">Deny device</SubmitButton>
    </Form>
  );
}
