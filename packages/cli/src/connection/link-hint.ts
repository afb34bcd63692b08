/** What to do about a credential that the service refuses: it depends on where the credential came from. */

export const LOGIN = 'svc login';

export type CredentialSource = 'SVC_DEVICE_TOKEN' | 'keystore';

export function linkHint(source: CredentialSource): string {
  return source === 'keystore'
    ? LOGIN
    : 'SVC_DEVICE_TOKEN is used in place of what svc login keeps: give it the token of a linked device, or unset it.';
}
