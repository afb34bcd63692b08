/** Who may sign up here. The document says so; the server decides. */

export type SignUpPolicy = 'open' | 'invited' | 'closed';

/** As the document has it: without a word of it, anyone may. */
export function signUpPolicy(): SignUpPolicy {
  const stated = document.querySelector('meta[name="svc-signup"]')?.getAttribute('content');
  return stated === 'invited' || stated === 'closed' ? stated : 'open';
}

/** The token of the invitation that the person came from and goes back to, if there is one. */
export function invitationIn(next: string | undefined): string | undefined {
  return /^\/invitations\/([0-9A-Za-z]{32})$/.exec(next ?? '')?.[1];
}

/** Whether a page may offer to sign up, knowing where the person goes next. */
export function offersSignUp(next?: string): boolean {
  const policy = signUpPolicy();
  return policy === 'open' || (policy === 'invited' && invitationIn(next) !== undefined);
}
