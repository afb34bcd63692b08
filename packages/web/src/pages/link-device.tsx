/**
 * The approval page of a device link. Anyone with the URL sees the device and its match code, so the page is the same
 * before and after signing in. Only signed-in users can decide.
 */
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useUser } from '../features/auth/session.ts';
import { DecideLink } from '../features/devices/decide-link.tsx';
import { LinkEnded } from '../features/devices/link-ended.tsx';
import { isApiError, query } from '../lib/api.ts';
import { Waiting } from '../ui/waiting.tsx';

export function LinkDevicePage() {
  const { id } = useParams({ from: '/link/$id' });
  const user = useUser();
  const { data: link, error } = useQuery({
    ...query('getDeviceLink', { params: { id } }),
    // The document contains the first response; refetching requires a session.
    enabled: user !== null,
    placeholderData: (known: unknown) => known as never,
    throwOnError: (failure) => !isApiError(failure, 'NOT_FOUND'),
  });
  if (link === null || isApiError(error, 'NOT_FOUND')) return <LinkEnded state="unknown" />;
  if (!link) return <Waiting what="the device" />;
  if (link.state === 'pending') return <DecideLink key={user?.userId} id={id} link={link} />;
  return <LinkEnded id={id} state={link.state} deviceName={link.deviceName} />;
}
