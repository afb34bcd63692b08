/** Who may sign up, as the operator configured it. The response reveals nothing about the address. */
import { AppError } from '#app-error';
import type { SetupVerdict } from './setup-service.ts';

export interface AdmissionPorts {
  readonly signUp: 'open' | 'invited' | 'closed';
  /** True for the token of an invitation that can be accepted now. */
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
    message: 'You need an invitation to sign up. Ask an owner of the workspace for one.',
  });
}
