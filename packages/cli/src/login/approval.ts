/**
 * Waiting for a person to approve a link, and trading the verifier for the credential.
 *
 * The service ends a link after ten minutes; the clock here only ends the waiting when the service has been silent for
 * longer than that. A network that is away in between is waited out. The exchange itself is never interrupted half way:
 * a credential whose answer nobody read would stay valid.
 */
import { limits, type ErrorCode } from '@svc/contract';
import type { Client, Failure } from '@svc/client';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import { connectTo, type Connection } from '../connection/connect.ts';
import { refusal } from '../connection/refusal.ts';

export interface Link {
  readonly publicRequestId: string;
  readonly pollIntervalMs: number;
}

/** Whatever is at the service's address asks for: it takes no more than one a second, and a person waits. */
const POLL_MIN_MS = 1000;
const POLL_MAX_MS = 60_000;

/** @throws CliError when the link is denied, has expired, was used, or the command is interrupted. */
export async function untilApproved(
  connection: Connection,
  { publicRequestId, ...link }: Link,
  signal: AbortSignal,
  { now, wait }: Pick<Clock, 'now' | 'wait'>,
): Promise<void> {
  const pollIntervalMs = Math.min(Math.max(link.pollIntervalMs, POLL_MIN_MS), POLL_MAX_MS);
  const givesUpAt = now() + limits.deviceLinkLifetimeMs + pollIntervalMs;
  let outage: CliError | undefined;
  for (;;) {
    try {
      await wait(pollIntervalMs, signal);
    } catch (cause) {
      throw new CliError('interrupted', 'Interrupted; nothing was linked.', { cause });
    }
    if (now() >= givesUpAt) throw outage ?? expired();
    try {
      const status = await connection.attempt('getDeviceLinkStatus', { params: { id: publicRequestId } });
      if (status.ok) return;
      outage = undefined;
      if (!keepsWaiting(status.error.code)) throw ended(status, connection.origin);
    } catch (error) {
      if (!(error instanceof CliError) || error.reason !== 'unavailable') throw error;
      outage = error;
    }
  }
}

function keepsWaiting(code: ErrorCode): boolean {
  return code === 'DEVICE_LINK_NOT_APPROVED' || code === 'RATE_LIMITED' || code === 'INTERNAL';
}

type Credential = Extract<Awaited<ReturnType<Client['exchangeDeviceLink']>>, { ok: true }>['body'];

/** The credential of an approved link. @throws CliError */
export async function exchange(
  origin: string,
  { publicRequestId }: Link,
  verifier: string,
  clock: Clock,
): Promise<Credential> {
  const connection = connectTo(origin, null, { clock, signal: new AbortController().signal });
  const send = () =>
    connection.attempt('exchangeDeviceLink', { params: { id: publicRequestId }, body: { verifier } });
  let isSecond = false;
  let outcome: Awaited<ReturnType<typeof send>>;
  try {
    outcome = await send();
  } catch (error) {
    if (!(error instanceof CliError) || error.reason !== 'unavailable') throw error;
    // It may have arrived or not; a link is of one use, so asking again can not make a second credential.
    isSecond = true;
    outcome = await send();
  }
  if (outcome.ok) return outcome.body;
  if (isSecond && outcome.error.code === 'DEVICE_LINK_ALREADY_CONSUMED') {
    throw new CliError('unavailable', 'The credential was lost on its way here.', {
      hint: 'svc login again, and revoke the device that has no use in the browser.',
      code: outcome.error.code,
      requestId: outcome.error.requestId,
    });
  }
  throw ended(outcome, origin);
}

function ended(failure: Failure<ErrorCode>, origin: string): CliError {
  const given = {
    code: failure.error.code,
    requestId: failure.error.requestId,
    hint: 'svc login begins again.',
  };
  switch (failure.error.code) {
    case 'FORBIDDEN':
      return new CliError('unauthenticated', 'The link was denied in the browser.', given);
    case 'DEVICE_LINK_EXPIRED':
      return expired(given);
    case 'DEVICE_LINK_ALREADY_CONSUMED':
      return new CliError('unauthenticated', 'The link was already used, and not by this command.', given);
    case 'NOT_FOUND':
      return new CliError('unauthenticated', 'The service does not know this link any more.', given);
    default:
      return refusal(failure, origin);
  }
}

function expired(given: { code?: ErrorCode; requestId?: string } = {}): CliError {
  return new CliError('unauthenticated', 'Nobody approved the link in time.', {
    ...given,
    hint: 'svc login begins again.',
  });
}
