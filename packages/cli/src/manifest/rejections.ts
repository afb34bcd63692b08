/**
 * Every reason for rejecting a release, by the code that scripts branch on: the exit code, and what to do. The code that
 * checks the rule writes the message. Codes are stable.
 */
import { CliError, type CliErrorOptions } from '../errors.ts';

interface ReleaseRejection {
  readonly reason: 'failed' | 'rejected' | 'unavailable';
  readonly hint: string;
}

const LATER = 'Nothing was changed. Try again later; if it fails again, tell the operator of the service.';
const TELL =
  'Nothing was changed. Report it to the operator of the service, and do not install the release by hand.';

const rejections = {
  MANIFEST_ABSENT: { reason: 'failed', hint: 'Ask the operator of the service how to update svc.' },
  MANIFEST_UNREACHABLE: { reason: 'unavailable', hint: 'Check the network and SVC_API_BASE_URL.' },
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
    hint: 'Nothing was changed. If the keys were replaced, get the new public key from the publisher of svc, not from this service.',
  },
  MANIFEST_INVALID: {
    reason: 'rejected',
    hint: 'Nothing was changed. The release may need a newer svc: install the newest version manually.',
  },
  MANIFEST_OTHER_CHANNEL: {
    reason: 'rejected',
    hint: 'Nothing was changed. To follow that channel, set SVC_UPDATE_CHANNEL to it.',
  },
  MANIFEST_EXPIRED: {
    reason: 'rejected',
    hint: 'Nothing was changed. Check the clock of this machine. If it is right, the operator must sign and serve a newer manifest.',
  },
  MANIFEST_STALE: { reason: 'rejected', hint: TELL },
  MANIFEST_DOWNGRADE: {
    reason: 'rejected',
    hint: 'Nothing was changed. To go back on purpose, install that version by hand.',
  },
  MANIFEST_REVOKED: { reason: 'rejected', hint: LATER },
  ARTIFACT_ABSENT: {
    reason: 'rejected',
    hint: 'Nothing was changed. Build svc from source on this machine.',
  },
  ARTIFACT_ADDRESS: { reason: 'rejected', hint: TELL },
  ARTIFACT_UNREACHABLE: { reason: 'unavailable', hint: LATER },
  ARTIFACT_TOO_SLOW: { reason: 'unavailable', hint: LATER },
  ARTIFACT_REDIRECTED: { reason: 'rejected', hint: TELL },
  ARTIFACT_ENCODED: { reason: 'rejected', hint: LATER },
  ARTIFACT_SIZE: { reason: 'rejected', hint: TELL },
  ARTIFACT_DIGEST: { reason: 'rejected', hint: TELL },
  ARTIFACT_BROKEN: {
    reason: 'rejected',
    hint: 'The previous program is still installed. Tell the publisher of svc.',
  },
  UPDATE_NO_KEYS: {
    reason: 'failed',
    hint: 'Put the public key of the publisher of svc into SVC_UPDATE_KEYS; docs/RELEASING.md says where to keep it.',
  },
  UPDATE_NOT_INSTALLED: {
    reason: 'failed',
    hint: 'Update svc in the way that you installed it: build it from source, or install its npm package.',
  },
  UPDATE_NOT_WRITABLE: { reason: 'failed', hint: 'Run this command as the user who owns the program.' },
  UPDATE_BUSY: { reason: 'failed', hint: 'Wait for it to end, and run this command again.' },
  UPDATE_OVERTAKEN: { reason: 'failed', hint: 'See which version is installed now: svc --version' },
  UPDATE_MEMORY: {
    reason: 'failed',
    hint: 'Delete the file if you know why it is damaged; svc then creates a new one.',
  },
} as const satisfies Record<`${'MANIFEST' | 'ARTIFACT' | 'UPDATE'}_${string}`, ReleaseRejection>;

export type RejectionCode = keyof typeof rejections;
export const rejectionCodes = Object.keys(rejections) as RejectionCode[];

export function rejected(
  code: RejectionCode,
  message: string,
  more: Pick<CliErrorOptions, 'details' | 'cause'> = {},
): CliError {
  const { reason, hint } = rejections[code];
  return new CliError(reason, message, { code, hint, ...more });
}
