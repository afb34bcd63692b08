/**
 * Every way in which a release is refused, by the code that scripts branch on: the exit code, and what to do. The message
 * is made where the rule is broken, since it says how. Codes are stable.
 */
import { CliError, type CliErrorOptions } from '../errors.ts';

interface Refusal {
  readonly reason: 'failed' | 'rejected' | 'unavailable';
  readonly hint: string;
}

const LATER = 'Nothing was changed. Try again later; if it stays so, tell whoever runs the service.';
const TELL = 'Nothing was changed. Tell whoever runs the service, and do not install it by hand.';

const refusals = {
  MANIFEST_ABSENT: { reason: 'failed', hint: 'Ask whoever runs the service how svc is updated there.' },
  MANIFEST_UNREACHABLE: { reason: 'unavailable', hint: 'Look at the network and at SVC_API_BASE_URL.' },
  MANIFEST_TOO_SLOW: { reason: 'unavailable', hint: LATER },
  MANIFEST_REDIRECTED: {
    reason: 'rejected',
    hint: 'Set SVC_API_BASE_URL to the address of the service itself.',
  },
  MANIFEST_ENCODED: { reason: 'rejected', hint: LATER },
  MANIFEST_TOO_LARGE: { reason: 'rejected', hint: TELL },
  MANIFEST_MALFORMED: { reason: 'rejected', hint: TELL },
  MANIFEST_OTHER_TYPE: { reason: 'rejected', hint: TELL },
  MANIFEST_UNTRUSTED: {
    reason: 'rejected',
    hint: 'Nothing was changed. If the keys were replaced, get the new public key from whoever releases svc, and not from this service.',
  },
  MANIFEST_INVALID: {
    reason: 'rejected',
    hint: 'Nothing was changed. It may be of a later kind: install the newest svc by hand once.',
  },
  MANIFEST_OTHER_CHANNEL: {
    reason: 'rejected',
    hint: 'Nothing was changed. Set SVC_UPDATE_CHANNEL if you mean that channel.',
  },
  MANIFEST_EXPIRED: {
    reason: 'rejected',
    hint: 'Nothing was changed. Look at the clock of this machine; else a newer manifest has to be signed and served.',
  },
  MANIFEST_STALE: { reason: 'rejected', hint: TELL },
  MANIFEST_DOWNGRADE: {
    reason: 'rejected',
    hint: 'Nothing was changed. To go back on purpose, install that version by hand.',
  },
  MANIFEST_REVOKED: { reason: 'rejected', hint: LATER },
  ARTIFACT_ABSENT: { reason: 'rejected', hint: 'Nothing was changed. Build svc from its sources here.' },
  ARTIFACT_ADDRESS: { reason: 'rejected', hint: TELL },
  ARTIFACT_UNREACHABLE: { reason: 'unavailable', hint: LATER },
  ARTIFACT_TOO_SLOW: { reason: 'unavailable', hint: LATER },
  ARTIFACT_REDIRECTED: { reason: 'rejected', hint: TELL },
  ARTIFACT_ENCODED: { reason: 'rejected', hint: LATER },
  ARTIFACT_SIZE: { reason: 'rejected', hint: TELL },
  ARTIFACT_DIGEST: { reason: 'rejected', hint: TELL },
  ARTIFACT_BROKEN: {
    reason: 'rejected',
    hint: 'The program that was there is in its place. Tell whoever releases svc.',
  },
  UPDATE_NO_KEYS: {
    reason: 'failed',
    hint: 'Put the public key of whoever releases svc into SVC_UPDATE_KEYS; docs/RELEASING.md says where it may be kept.',
  },
  UPDATE_NOT_INSTALLED: { reason: 'failed', hint: 'Update the sources instead, and build them.' },
  UPDATE_NOT_WRITABLE: { reason: 'failed', hint: 'Run it as the user that the program belongs to.' },
  UPDATE_BUSY: { reason: 'failed', hint: 'Wait for it to end, and run this again.' },
  UPDATE_OVERTAKEN: { reason: 'failed', hint: 'See what is there now: svc --version' },
  UPDATE_MEMORY: {
    reason: 'failed',
    hint: 'Delete the file if you know why it is damaged; svc then starts to remember anew.',
  },
} as const satisfies Record<`${'MANIFEST' | 'ARTIFACT' | 'UPDATE'}_${string}`, Refusal>;

export type RefusalCode = keyof typeof refusals;
export const refusalCodes = Object.keys(refusals) as RefusalCode[];

export function refused(
  code: RefusalCode,
  message: string,
  more: Pick<CliErrorOptions, 'details' | 'cause'> = {},
): CliError {
  const { reason, hint } = refusals[code];
  return new CliError(reason, message, { code, hint, ...more });
}
