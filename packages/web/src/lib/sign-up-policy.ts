/** Who may sign up, as stated in the document. The server enforces it. */

export type SignUpPolicy = 'open' | 'invited' | 'closed';

/** The policy in the document; open if it states none. */
export function signUpPolicy(): SignUpPolicy {
  const stated = document.querySelector('meta[name="svc-signup"]')?.getAttribute('content');
  return stated === 'invited' || stated === 'closed' ? stated : 'open';
}

/** The token of the invitation that the user came from and returns to, if there is one. */
export function invitationIn(next: string | undefined): string | undefined {
  return /^\/invitations\/([0-9A-Za-z]{32})$/.exec(next ?? '')?.[1];
}

/** Whether a page may offer sign-up, given the location that follows. */
export function offersSignUp(next?: string): boolean {
  const policy = signUpPolicy();
  return policy === 'open' || (policy === 'invited' && invitationIn(next) !== undefined);
}
