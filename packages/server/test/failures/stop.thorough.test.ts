/** A stop waits only for requests under way. */
import { connect } from 'node:net';
import { once } from 'node:events';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { expect, test } from 'vitest';

/**
 * A stop within this time did not wait for a request, which would take ten seconds. On a busy machine the time depends
 * on how long the service took to start.
 */
const atOnceMs = ({ startedInMs }: ServiceProcess) => Math.min(9000, Math.max(5000, 3 * startedInMs));
const MAY_TAKE_MS = 120_000;

test(
  'after Ctrl+C with nothing under way the service ends immediately with 0',
  { timeout: MAY_TAKE_MS },
  async () => {
    await using service = await startServiceProcess();
    const began = performance.now();
    service.signal('SIGINT');
    service.signal('SIGINT');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(atOnceMs(service));
  },
);

test(
  'a client that keeps its connection open and silent does not delay a stop',
  { timeout: MAY_TAKE_MS },
  async () => {
    await using service = await startServiceProcess();
    const socket = connect({ port: service.port, host: '127.0.0.1' });
    await once(socket, 'connect');
    socket.on('error', () => undefined);
    const began = performance.now();
    service.signal('SIGINT');
    expect(await service.ended).toEqual({ code: 0, signal: null });
    expect(performance.now() - began).toBeLessThan(atOnceMs(service));
    socket.destroy();
  },
);
