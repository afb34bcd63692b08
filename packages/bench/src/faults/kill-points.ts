/**
 * Points at which the service is killed. Points inside the service are reached by system calls. Unless the comment of a
 * point says otherwise, SIGKILL arrives on entry to a call, which is then never executed.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { connectRaw, type ServiceProcess } from '@svc/testkit';
import { trace, type Injection, type Threads } from './strace.ts';

/** What a point needs to know about the interrupted call. */
export interface Interrupted {
  /** Sends the call; resolves when it has a response or is lost. */
  readonly call: () => Promise<unknown>;
  /** The upload, for points within a body. */
  readonly upload: { readonly id: string; readonly deviceToken: string; readonly bytes: Uint8Array };
  /** A number of at least 0 and less than 1. */
  readonly chance: number;
}

export interface Point {
  readonly name: string;
  readonly needsTracing: boolean;
  reach(service: ServiceProcess, interrupted: Interrupted): Promise<void>;
}

/** The kill comes at a random moment within this time, which ends well after the response. */
const MOMENT_MS_MAX = 8;

export const moment: Point = {
  name: 'at some moment',
  needsTracing: false,
  async reach(service, { call, chance }) {
    const called = call();
    await pause(chance * MOMENT_MS_MAX);
    service.signal('SIGKILL');
    await called;
  },
};

/** The whole transaction is in the log, but the log is not synced. */
export const beforeSync = traced('before the sync of its commit', 'main', {
  calls: ['fsync', 'fdatasync'],
  effect: 'signal=SIGKILL:when=1',
});

/** The transaction is committed, but the response was not sent. */
export const beforeAnswer = traced('after its commit', 'main', {
  calls: ['write', 'writev'],
  effect: 'signal=SIGKILL:when=1',
});

/** The blob has its name, and is empty. */
export const beforeWrite = traced("before the blob's write", 'all', {
  calls: ['writev'],
  effect: 'signal=SIGKILL:when=1',
});

/** The blob is written. Neither it nor its folder is synced, and the database has no row for it. */
export const beforeBlobSync = traced("before the blob's syncs", 'all', {
  calls: ['fsync'],
  effect: 'signal=SIGKILL:when=1',
});

/** A point within an upload: when this fraction of the body has been sent. */
export function within(name: string, part: number): Point {
  return {
    name,
    needsTracing: false,
    async reach(service, { upload: { id, deviceToken, bytes } }) {
      await using connection = await connectRaw(service.port);
      await connection.send(
        [
          `PUT /api/v1/uploads/${id} HTTP/1.1`,
          `Host: 127.0.0.1:${service.port}`,
          `Authorization: Bearer ${deviceToken}`,
          'Content-Type: application/json',
          `Content-Length: ${bytes.length}`,
          'Expect: 100-continue',
          '\r\n',
        ].join('\r\n'),
      );
      await connection.until(1, 'continues');
      await connection.send(bytes.subarray(0, Math.floor(bytes.length * part)));
      service.signal('SIGKILL');
      await service.ended;
    },
  };
}

function traced(name: string, threads: Threads, injection: Injection): Point {
  return {
    name,
    needsTracing: true,
    async reach(service, { call }) {
      const tracing = await trace(service.pid, threads, injection.calls, injection);
      await call();
      // If the call returned before reaching the point, the process survives, and the caller does not count this cycle.
      await Promise.race([service.ended, pause(service.alive() ? 1000 : 0)]);
      await tracing.detach();
    },
  };
}
