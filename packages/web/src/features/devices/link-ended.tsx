/** What became of the link of a device, and what to do then. */
import type { DeviceLinkState } from '@svc/contract';
import { Link } from '@tanstack/react-router';
import { useUser } from '../auth/session.ts';
import { Notice } from '../../ui/notice.tsx';
import { Page } from '../../ui/page.tsx';
import { Command } from '../../ui/copy.tsx';
import { DenyApproved } from './deny-approved.tsx';

export interface LinkEndedProps {
  readonly state: Exclude<DeviceLinkState, 'pending'> | 'unknown';
  readonly deviceName?: string;
  readonly id?: string;
}

export function LinkEnded({ state, deviceName = '', id }: LinkEndedProps) {
  switch (state) {
    case 'approved':
      return (
        <Page key={state} title={`“${deviceName}” is approved`} width="narrow">
          <Notice tone="good">
            <p>Go back to the terminal: it goes on by itself. You can close this page.</p>
          </Notice>
          {id === undefined ? null : <DenyApproved id={id} deviceName={deviceName} />}
        </Page>
      );
    case 'consumed':
      return (
        <Page key={state} title={`“${deviceName}” is connected`} width="narrow">
          <p>This link was used, and can not be used again. You can close this page.</p>
          <Devices />
        </Page>
      );
    case 'denied':
      return (
        <Page key={state} title={`“${deviceName}” was denied`} width="narrow">
          <p>The device was not connected. If it is yours after all, begin again in its terminal:</p>
          <Command command="svc login" />
        </Page>
      );
    case 'expired':
      return (
        <Page key={state} title="This link has expired" width="narrow">
          <p>A link lives for ten minutes. Begin again in the terminal:</p>
          <Command command="svc login" />
        </Page>
      );
    case 'unknown':
      return (
        <Page key={state} title="There is no such link" width="narrow">
          <p>
            The address is not whole, or the link is long gone. Open the address that the terminal shows, or
            begin again there:
          </p>
          <Command command="svc login" />
        </Page>
      );
  }
}

function Devices() {
  if (!useUser()) return null;
  return (
    <p>
      <Link to="/settings" hash="devices" className="text-accent-text underline underline-offset-2">
        See your devices
      </Link>
    </p>
  );
}
