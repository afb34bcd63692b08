/** The hint for a credential that the service rejects, which depends on where the credential came from. */

export const LOGIN = 'svc login';

export type CredentialSource = 'SVC_DEVICE_TOKEN' | 'keystore';

export const linkHints: Readonly<Record<CredentialSource, string>> = {
  keystore: LOGIN,
  SVC_DEVICE_TOKEN:
    'SVC_DEVICE_TOKEN overrides the credential of svc login. Set it to the token of a linked device, or unset it.',
};
