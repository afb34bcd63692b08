/**
 * The password of a link, asked for on every route that reads it.
 *
 * Ten wrong ones shut the link for ten minutes from the first, for whoever comes, with the right one too; so a guess is
 * charged before its hash is computed and given back when it was right, and no number of parallel guesses or replicas
 * computes an eleventh hash of wrong ones. A password that was right a short while ago costs no hash, and is let in under
 * the same condition. When the counters are out of reach nobody is let in.
 */
import { limits, passwordBytes } from '@svc/contract';
import { AppError } from '#app-error';
import type { Clock } from '#platform/clock';
import type { PasswordHash, PasswordHasher } from '#platform/password-hash';
import type { Random } from '#platform/random';
import type { Throttles } from '#platform/throttles';
import { createPasswordLine, rateLimited, type PasswordLine, type Patience } from './password-line.ts';
import { createRememberedPasswords } from './remembered-passwords.ts';

export interface SharePasswords {
  /**
   * Resolves when the password is the link's, and at once for a link without one.
   * @param given as it came, not yet normalized.
   * @throws AppError SHARE_PASSWORD_REQUIRED when it is wrong, none, or too long to be one; RATE_LIMITED after too many
   * wrong ones, and when the service is too busy to check it.
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
  const guesses = throttles.guesses('sharePassword', limits.share.wrongPasswords);
  const remembered = createRememberedPasswords(clock, random);
  const lines = new Map<string, PasswordLine>();

  /** @param text null when what was given is no text, and so is wrong; its hash costs the same. */
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
      // Readers who come again do not wait for each other; but for guesses that came before them, which may use up the budget.
      const mayLook = remembered.has(digest) && lines.get(id)?.isIdle() !== false;
      if (mayLook && (await hasRoom(id))) return;
      if (!(await check(id, passwordHash, text, digest))) throw new AppError('SHARE_PASSWORD_REQUIRED');
    },
  };
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

const NO_TEXT = new Uint8Array();

/** The bytes that were hashed if this is the password; null when they are no UTF-8. */
function comparable(given: Uint8Array): Uint8Array | null {
  let text: string;
  try {
    text = utf8.decode(given);
  } catch {
    return null;
  }
  return passwordBytes(text);
}
