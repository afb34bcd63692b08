/** Who may sign up, by the operator's choice. The answer says nothing about the address. */
import { AppError } from '#app-error';
import type { SetupVerdict } from './setup-service.ts';

export interface AdmissionPorts {
  readonly signUp: 'open' | 'invited' | 'closed';
  /** True for the token of an invitation that could be accepted now. */
  readonly isInvitationOpen: (token: string) => Promise<boolean>;
}

/** @throws AppError FORBIDDEN */
export async function requireAdmission(
  { signUp, isInvitationOpen }: AdmissionPorts,
  { kind }: SetupVerdict,
  invitation: string | undefined,
): Promise<void> {
  if (signUp === 'open' || kind === 'admitted') return;
  if (signUp === 'closed') throw new AppError('FORBIDDEN', { message: 'Sign-up is closed on this service.' });
  if (invitation !== undefined && (await isInvitationOpen(invitation))) return;
  throw new AppError('FORBIDDEN', {
    message: 'Signing up takes an open invitation to a workspace. Ask an owner of the workspace for one.',
  });
}
