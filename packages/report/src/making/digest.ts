/** SHA-256 in hexadecimal, of bytes or of a text in UTF-8: synchronous, and without a secure context. */
export { sha256Hex } from '#sha256';
