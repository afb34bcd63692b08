/** Verifies that an event comes from the payment provider. */
export interface EventSignatures {
  /**
   * Whether the signature is for exactly these bytes, by one of the secrets, and recent.
   * @param signature the header that came with them.
   */
  isValid(bytes: Uint8Array, signature: string): boolean;
}
