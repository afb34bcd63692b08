/** Shares of reports, for their owners and their viewers. */
import type { Feature } from '#feature';
import type { Tx } from '#platform/database/database';
import { forgettingJob } from './ending.ts';
import { createShareMessages, type ShareMessagePorts, type ShareMessages } from './messages.ts';
import { createOpenService, type OpenPorts, type OpenService } from './open-service.ts';
import { createSharePasswords, type SharePasswordPorts } from './passwords.ts';
import { createPreviewService, type PreviewPorts } from './preview-service.ts';
import { pinAddress } from './principals.ts';
import { shareRoutes } from './routes.ts';
import { createShareFinder, type ShareFinderPorts } from './share-finder.ts';
import { createShareService, type SharePorts, type ShareService } from './service.ts';
import { createShareUnlocks } from './unlocks.ts';
import {
  createWorkspaceShareService,
  type WorkspaceSharePorts,
  type WorkspaceShareService,
} from './workspace-service.ts';
import { createViewCounts, type ViewCountsPorts } from './view-counts.ts';

export { endShares } from './ending.ts';
export { openShareMessage } from './messages.ts';

export interface SharesFeature extends Feature {
  /** Binds shares that name the address of a new account to that account. */
  readonly pinAddress: (
    tx: Tx,
    account: { readonly userId: string; readonly email: string },
  ) => Promise<void>;
  readonly list: ShareService['list'];
  readonly listOfWorkspace: WorkspaceShareService['list'];
  /** Seals the messages of a report's shares under the next key of the report. */
  readonly moveMessages: ShareMessages['moveTo'];
  /** The document of a share's page. */
  readonly page: OpenService['page'];
  /** Writes the view counts that are still pending. Call before the database is closed. */
  close(): Promise<void>;
}

export type SharesPorts = SharePorts &
  ShareMessagePorts &
  PreviewPorts &
  OpenPorts &
  ShareFinderPorts &
  SharePasswordPorts &
  WorkspaceSharePorts &
  ViewCountsPorts;

export function createShares(ports: SharesPorts): SharesFeature {
  const views = createViewCounts(ports);
  const messages = createShareMessages(ports);
  const opening = createOpenService(ports, {
    shares: createShareFinder(ports),
    passwords: createSharePasswords(ports),
    unlocks: createShareUnlocks(ports),
    messages,
    views,
  });
  const shares = createShareService(ports, messages, views);
  const ofWorkspace = createWorkspaceShareService(ports, views);
  return {
    routes: shareRoutes({
      shares,
      ofWorkspace,
      previews: createPreviewService(ports),
      opening,
    }),
    jobs: [views.job, forgettingJob(ports)],
    pinAddress: (tx, account) => pinAddress(tx, ports.database, account),
    list: shares.list,
    listOfWorkspace: ofWorkspace.list,
    moveMessages: messages.moveTo,
    page: opening.page,
    close: views.close,
  };
}
