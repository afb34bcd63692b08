/** The state of a device link that is no longer pending, and what to do next. */
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
            <p>Return to your terminal; it continues automatically. You can close this page.</p>
          </Notice>
          {id === undefined ? null : <DenyApproved id={id} deviceName={deviceName} />}
        </Page>
      );
    case 'consumed':
      return (
        <Page key={state} title={`“${deviceName}” is connected`} width="narrow">
          <p>This device link was used and can’t be used again. You can close this page.</p>
          <Devices />
        </Page>
      );
    case 'denied':
      return (
        <Page key={state} title={`“${deviceName}” was denied`} width="narrow">
          <p>The device was not connected. If it is yours, start again in its terminal:</p>
          <Command command="svc login" />
        </Page>
      );
    case 'expired':
      return (
        <Page key={state} title="Device link expired" width="narrow">
          <p>Device links expire after ten minutes. Start again in the terminal:</p>
          <Command command="svc login" />
        </Page>
      );
    case 'unknown':
      return (
        <Page key={state} title="Device link not found" width="narrow">
          <p>
            The URL is incomplete, or the device link expired long ago. Open the URL that the terminal shows,
            or start again there:
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
        View your devices
      </Link>
    </p>
  );
}
