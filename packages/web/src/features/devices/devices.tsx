/** The machines that are connected to the account, and those that were. */
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import type { Device } from '@svc/contract';
import { useState } from 'react';
import { ask, query, queryKey } from '../../lib/api.ts';
import { counted, laterOf } from '../../lib/words.ts';
import { Button } from '../../ui/button.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Command } from '../../ui/copy.tsx';
import { Time } from '../../ui/time.tsx';

export function Devices() {
  const { devices } = useSuspenseQuery(query('listDevices')).data;
  const queries = useQueryClient();
  const [revoking, setRevoking] = useState<Device | null>(null);
  const newest = devices.toReversed();
  const connected = newest.filter(({ revokedAt }) => revokedAt === null);
  const revoked = newest.filter(({ revokedAt }) => revokedAt !== null);
  async function revoke() {
    await ask('revokeDevice', { params: { id: revoking?.deviceId ?? '' } });
    await queries.invalidateQueries({ queryKey: queryKey('listDevices') });
  }
  return (
    <>
      {connected.length === 0 ? (
        <div className="flex flex-col gap-2">
          <p>No device is connected. Connect one in its terminal:</p>
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
      {revoked.length === 0 ? null : (
        <details>
          <summary className="text-quiet">{counted(revoked.length, 'revoked device')}</summary>
          <ul aria-label="Revoked devices" className="-my-2 divide-y divide-line">
            {revoked.map((device) => (
              <li key={device.deviceId} className="py-2">
                <DeviceFacts device={device} />
              </li>
            ))}
          </ul>
        </details>
      )}
      <Confirm
        isOpen={revoking !== null}
        onClose={() => setRevoking(null)}
        title={`Revoke “${revoking?.deviceName ?? ''}”?`}
        action="Revoke the device"
        onConfirm={revoke}
      >
        <p>It can upload nothing any more, at once. Reports that it made stay.</p>
      </Confirm>
    </>
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
