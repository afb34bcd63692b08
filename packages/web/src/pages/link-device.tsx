/**
 * A device asks to be connected. It is shown with its match code to whoever opens the address, so that the page is the
 * same before and after signing in; only whoever is signed in decides.
 */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useUser } from '../features/auth/session.ts';
import { DecideLink } from '../features/devices/decide-link.tsx';
import { LinkEnded } from '../features/devices/link-ended.tsx';
import { isRefusal, query } from '../lib/api.ts';
import { Waiting } from '../ui/waiting.tsx';

export function LinkDevicePage() {
  const { id } = useParams({ from: '/link/$id' });
  const user = useUser();
  const { data: link, error } = useQuery({
    ...query('getDeviceLink', { params: { id } }),
    // The document bears it; asking anew takes a session.
    enabled: user !== null,
    placeholderData: (known: unknown) => known as never,
    throwOnError: (failure) => !isRefusal(failure, 'NOT_FOUND'),
  });
  if (link === null || isRefusal(error, 'NOT_FOUND')) return <LinkEnded state="unknown" />;
  if (!link) return <Waiting what="the device" />;
  if (link.state === 'pending') return <DecideLink key={user?.userId} id={id} link={link} />;
  return <LinkEnded id={id} state={link.state} deviceName={link.deviceName} />;
}
