/** The connected devices of the account, and the revoked and expired ones. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Device } from '@svc/contract';
import { useState } from 'react';
import { ask, query, queryKey } from '../../lib/api.ts';
import { counted, laterOf } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Command } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';

export function Devices() {
  const { devices } = useSuspenseQuery(query('listDevices')).data;
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<Device | null>(null);
  const newest = devices.toReversed();
  const connected = newest.filter((device) => device.revokedAt === null && !hasExpired(device));
  const revoked = newest.filter(({ revokedAt }) => revokedAt !== null);
  const expired = newest.filter((device) => device.revokedAt === null && hasExpired(device));
  async function revoke() {
    await ask('revokeDevice', { params: { id: revoking?.deviceId ?? '' } });
    await queries.invalidateQueries({ queryKey: queryKey('listDevices') });
  }
  return (
    <>
      {connected.length === 0 ? (
        <div className="flex flex-col gap-2">
          <p>No devices are connected. To connect one, run this in its terminal:</p>
          <Command command="svc login" />
        </div>
      ) : (
        <ul aria-label="Connected devices" className="-my-2 divide-y divide-line">
          {connected.map((device) => (
            <li key={device.deviceId} className="flex min-h-12 items-center justify-between gap-4 py-2">
              <DeviceFacts device={device} />
              <Button onClick={() => setRevoking(device)} aria-label={`Revoke “${device.deviceName}”`}>
                Revoke
              </Button>
            </li>
          ))}
        </ul>
      )}
      <EndedDevices devices={revoked} ending="revoked" />
      <EndedDevices devices={expired} ending="expired" />
      <Confirm
        isOpen={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Revoke “${revoking?.deviceName ?? ''}”?`}
        action="Revoke device"
        onConfirm={revoke}
      >
        <p>This device can no longer upload reports. Reports that it created are kept.</p>
      </Confirm>
    </>
  );
}

const hasExpired = ({ expiresAt }: Device) => expiresAt !== null && Date.parse(expiresAt) <= Date.now();

interface EndedDevicesProps {
  readonly devices: readonly Device[];
  readonly ending: 'revoked' | 'expired';
}

function EndedDevices({ devices, ending }: EndedDevicesProps) {
  if (devices.length === 0) return null;
  return (
    <details>
      <summary className="text-quiet">{counted(devices.length, `${ending} device`)}</summary>
      <ul
        aria-label={ending === 'revoked' ? 'Revoked devices' : 'Expired devices'}
        className="-my-2 divide-y divide-line"
      >
        {devices.map((device) => (
          <li key={device.deviceId} className="py-2">
            <DeviceFacts device={device} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function DeviceFacts({ device }: { readonly device: Device }) {
  return (
    <div className="min-w-0">
      <p className="font-strong">{device.deviceName}</p>
      <p className="text-small text-quiet">
        {device.osFamily}, {device.arch}, svc {device.clientVersion},{' '}
        {device.revokedAt === null ? (
          <>
            last seen <Time at={laterOf(device.lastSeenAt, device.createdAt)} />
            {device.expiresAt === null ? null : (
              <>
                , {hasExpired(device) ? 'expired' : 'expires'} <Time at={device.expiresAt} />
              </>
            )}
          </>
        ) : (
          <>
            revoked <Time at={device.revokedAt} />
          </>
        )}
      </p>
    </div>
  );
}
