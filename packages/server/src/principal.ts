/** Who is calling, once a credential was accepted. */
export interface SessionPrincipal {
  readonly kind: 'session';
  readonly userId: string;
  readonly sessionId: string;
}

export interface DevicePrincipal {
  readonly kind: 'device';
  readonly userId: string;
  readonly deviceId: string;
}
