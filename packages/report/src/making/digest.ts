/** SHA-256 in hexadecimal, of bytes or of text in UTF-8. It is synchronous and needs no secure context. */
export { sha256Hex } from '#sha256';
