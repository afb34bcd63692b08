/**
 * Waits for a person to approve a device link, and exchanges the verifier for the credential.
 *
 * The service ends a device link after ten minutes; the time limit here only applies when the service has been silent
 * for longer. Calls during the wait that fail because of the network are retried. The exchange itself is never
 * interrupted: a credential whose response nobody read would stay valid.
 */
import { limits, type ErrorCode } from '@svc/contract';
import type { Client, Failure } from '@svc/client';
import type { Clock } from '../clock.ts';
import { CliError } from '../errors.ts';
import type { Connection } from '../connection/connect.ts';
import { rejection } from '../connection/rejection.ts';
import { MINUTE_MS, SECOND_MS } from '../time.ts';

export interface DeviceLink {
  readonly publicRequestId: string;
  readonly pollIntervalMs: number;
}

/**
 * The shortest interval between polls, whatever the program at the service's address asks for. The service accepts one
 * poll a second, and a person is waiting.
 */
const POLL_MIN_MS = SECOND_MS;
const POLL_MAX_MS = MINUTE_MS;

/** @throws CliError when the link is denied, expired or already used, or when the command is interrupted. */
export async function untilApproved(
  connection: Connection,
  { publicRequestId, ...link }: DeviceLink,
  signal: AbortSignal,
  { now, wait }: Pick<Clock, 'now' | 'wait'>,
): Promise<void> {
  const polled = connection.withoutRetries();
  const pollIntervalMs = Math.min(Math.max(link.pollIntervalMs, POLL_MIN_MS), POLL_MAX_MS);
  const givesUpAt = now() + limits.deviceLinkLifetimeMs + pollIntervalMs;
  let outage: CliError | undefined;
  let pauseMs = pollIntervalMs;
  for (;;) {
    try {
      await wait(Math.min(pauseMs, givesUpAt - now()), signal);
    } catch (cause) {
      throw new CliError('interrupted', 'Interrupted; nothing was linked.', { cause });
    }
    if (now() >= givesUpAt) throw outage ?? expired();
    try {
      pauseMs = pollIntervalMs;
      const status = await polled.attempt('getDeviceLinkStatus', { params: { id: publicRequestId } });
      if (status.ok) return;
      pauseMs = Math.max(pollIntervalMs, status.retryAfterMs ?? 0);
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

/**
 * The credential of an approved link.
 * @param connection must not end its calls when the command is interrupted.
 * @throws CliError
 */
export async function exchange(
  connection: Connection,
  { publicRequestId }: DeviceLink,
  verifier: string,
): Promise<Credential> {
  const { origin, retries } = connection;
  const send = () =>
    connection.attempt('exchangeDeviceLink', { params: { id: publicRequestId }, body: { verifier } });
  let isSecond = false;
  let outcome: Awaited<ReturnType<typeof send>>;
  try {
    outcome = await send();
  } catch (error) {
    if (!(error instanceof CliError) || error.reason !== 'unavailable') throw error;
    const { signal } = new AbortController();
    if (!(await retries.pause({ attempt: 1, signal }))) throw error;
    // The first call may have arrived. A link works once, so a second call cannot create a second credential.
    isSecond = true;
    outcome = await send();
  }
  if (outcome.ok) return outcome.body;
  if (isSecond && outcome.error.code === 'DEVICE_LINK_ALREADY_CONSUMED') {
    throw new CliError('unavailable', 'The response with the credential was lost.', {
      hint: 'Run svc login again, and revoke the unused device in the browser.',
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
    hint: 'Run svc login again.',
  };
  switch (failure.error.code) {
    case 'FORBIDDEN':
      return new CliError('unauthenticated', 'The device link was denied in the browser.', given);
    case 'DEVICE_LINK_EXPIRED':
      return expired(given);
    case 'DEVICE_LINK_ALREADY_CONSUMED':
      return new CliError('unauthenticated', 'The device link was already used by another command.', given);
    case 'NOT_FOUND':
      return new CliError('unauthenticated', 'The service no longer knows this device link.', given);
    default:
      return rejection(failure, origin);
  }
}

function expired(given: { code?: ErrorCode; requestId?: string } = {}): CliError {
  return new CliError('unauthenticated', 'The device link was not approved in time.', {
    ...given,
    hint: 'Run svc login again.',
  });
}
