/** Tells what the payment provider has sent from what anybody may send. */
export interface EventSignatures {
  /**
   * Whether the signature is of exactly these bytes, by one of the secrets, and of about now.
   * @param signature the header that came with them.
   */
  isValid(bytes: Uint8Array, signature: string): boolean;
}
