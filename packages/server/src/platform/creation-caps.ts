/**
 * How many records of each kind one account or workspace may create: without a limit, one account could fill the
 * database.
 */
import { closed } from '@svc/contract';
import Type, { type Static } from 'typebox';

export const defaultCreationCaps = {
  teamWorkspacesPerUser: 100,
  projectsPerWorkspace: 1000,
  openInvitationsPerWorkspace: 100,
  openUploadIntentsPerUser: 200,
};

export type CreationCaps = Readonly<typeof defaultCreationCaps>;

const Cap = Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 }));

/** Section `creations` of the operator's file (`THROTTLES_PATH`). */
export const CreationCapsSchema = closed({
  teamWorkspacesPerUser: Cap,
  projectsPerWorkspace: Cap,
  openInvitationsPerWorkspace: Cap,
  openUploadIntentsPerUser: Cap,
});

export function creationCaps(given: Static<typeof CreationCapsSchema> = {}): CreationCaps {
  return { ...defaultCreationCaps, ...given };
}
