/**
 * The checksum of the service's own device tokens: 40 base62 characters, then their CRC-32 in six more. It
 * distinguishes a token from text that merely looks like one, without a request to the service.
 */
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_LENGTH = 40;
const CHECKSUM_LENGTH = 6;
const CRC32_POLYNOMIAL = 0xedb88320;

export const DEVICE_TOKEN_PREFIX = 'svc_dev_';
/** The length of the part after the prefix. */
export const DEVICE_TOKEN_BODY_LENGTH = SECRET_LENGTH + CHECKSUM_LENGTH;

/** True for the part of a device token that follows the prefix. */
export function isDeviceTokenBody(body: string): boolean {
  return (
    body.length === DEVICE_TOKEN_BODY_LENGTH &&
    body.slice(SECRET_LENGTH) === base62(crc32(body.slice(0, SECRET_LENGTH)))
  );
}

function base62(value: number): string {
  let text = '';
  for (let rest = value; text.length < CHECKSUM_LENGTH; rest = Math.floor(rest / 62))
    text = BASE62.charAt(rest % 62) + text;
  return text;
}

/** The CRC-32 of ASCII text. */
function crc32(text: string): number {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) {
    crc ^= text.charCodeAt(at);
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ CRC32_POLYNOMIAL : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
