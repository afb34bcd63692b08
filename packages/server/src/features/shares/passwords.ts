/**
 * The password of a share, required on every route that reads it.
 *
 * Ten wrong passwords lock the link for everyone, even with the right password, until ten minutes after the first of
 * them. A guess is charged before its hash is computed and refunded when it was right. So an eleventh wrong password is
 * never hashed, however many guesses and replicas run in parallel. A password that was right a short while ago costs no
 * hash, but must pass the same limit. While the counters are unreachable, no password is accepted.
 */
import { limits, passwordBytes } from '@svc/contract';
import { AppError } from '#app-error';
import type { Clock } from '#platform/clock';
import type { PasswordHash, PasswordHasher } from '#platform/password-hash';
import type { Random } from '#platform/random';
import type { Throttles } from '#platform/throttles';
import { createPasswordLine, rateLimited, type PasswordLine, type Patience } from './password-line.ts';
import { createRememberedPasswords } from './remembered-passwords.ts';
import { strictUtf8 } from '#platform/encoding';

export interface SharePasswords {
  /**
   * Resolves when the password is the link's, and immediately for a link without one.
   * @param given as received, not yet normalized.
   * @throws AppError SHARE_PASSWORD_REQUIRED when it is wrong, absent or too long; RATE_LIMITED after too many wrong
   * ones, and when the service is too busy to check it.
   */
  require(link: ProtectedLink, given: Uint8Array | undefined): Promise<void>;
}

export interface ProtectedLink {
  readonly id: string;
  readonly passwordHash: PasswordHash | null;
}

export interface SharePasswordPorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly hasher: Pick<PasswordHasher, 'verify'>;
  readonly throttles: Pick<Throttles, 'guesses'>;
}

const PATIENCE: Patience = { waitMsMax: 2000, askAgainMs: 50 };

export function createSharePasswords(
  { clock, random, hasher, throttles }: SharePasswordPorts,
  patience: Patience = PATIENCE,
): SharePasswords {
  const guesses = throttles.guesses('sharePassword');
  const remembered = createRememberedPasswords(clock, random);
  const lines = new Map<string, PasswordLine>();

  /** @param text null when the bytes are not valid text, and therefore wrong; their hash costs the same. */
  async function check(linkId: string, stored: PasswordHash, text: Uint8Array | null, digest: string) {
    let line = lines.get(linkId);
    if (!line) {
      line = createPasswordLine(patience);
      lines.set(linkId, line);
    }
    try {
      return await line.lineUp(digest, {
        charge: () => (remembered.has(digest) ? guesses.peek(linkId) : guesses.take(linkId)),
        async check(taken) {
          const verifying = text ? hasher.verify(stored, text) : hasher.verify(null, NO_TEXT);
          const right = await verifying.catch(async (error: unknown) => {
            await guesses.giveBack(taken);
            throw error;
          });
          await (right ? guesses.giveBack(taken) : guesses.confirm(taken));
          if (right) remembered.remember(digest);
          return right;
        },
      });
    } finally {
      if (line.isEmpty() && lines.get(linkId) === line) lines.delete(linkId);
    }
  }

  async function hasRoom(linkId: string): Promise<boolean> {
    const room = await guesses.peek(linkId);
    if (!room.ok && !room.undecided) throw rateLimited(room.retryAfterMs);
    return room.ok;
  }

  return {
    async require({ id, passwordHash }, given) {
      if (passwordHash === null) return;
      if (!given || given.length === 0 || given.length > limits.share.passwordTriedBytesMax) {
        throw new AppError('SHARE_PASSWORD_REQUIRED');
      }
      const text = comparable(given);
      const digest = remembered.digest(id, passwordHash, text ?? given);
      // Returning viewers do not wait for each other, but wait for guesses that came before them, which may exhaust the
      // limit.
      const mayLook = remembered.has(digest) && lines.get(id)?.isIdle() !== false;
      if (mayLook && (await hasRoom(id))) return;
      if (!(await check(id, passwordHash, text, digest))) throw new AppError('SHARE_PASSWORD_REQUIRED');
    },
  };
}

const NO_TEXT = new Uint8Array();

/** The bytes that are hashed to compare the password; null for invalid UTF-8. */
function comparable(given: Uint8Array): Uint8Array | null {
  let text: string;
  try {
    text = strictUtf8(given);
  } catch {
    return null;
  }
  return passwordBytes(text);
}
