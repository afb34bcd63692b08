/** A stop: first not ready, requests under way finish, exit code 0. */
import { connect, type Socket } from 'node:net';
import { watchEvents } from '@svc/testkit/event-stream';
import { APP_ORIGIN } from '@svc/testkit/origin';
import { bodyOf } from '@svc/testkit/outcomes';
import { bindProject, shellOf } from '@svc/testkit/reports';
import { startServiceProcess, type ServiceProcess } from '@svc/testkit/service-process';
import { expect, test } from 'vitest';

const body = JSON.stringify({ name: 'Slow team' });
const MAY_TAKE_MS = 120_000;

/** A request whose body is sent in two parts, the second one by the caller. */
async function slowRequest(service: ServiceProcess, cookie: string) {
  const socket = await connected(service.port);
  const answered = new Promise<string>((resolve) => {
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.once('close', () => resolve(answer));
  });
  socket.write(
    [
      'POST /api/v1/workspaces HTTP/1.1',
      `Host: 127.0.0.1:${service.port}`,
      `Origin: ${APP_ORIGIN}`,
      `Cookie: ${cookie}`,
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Expect: 100-continue',
      '\r\n',
    ].join('\r\n'),
  );
  // The service asks for the body once it has received the request.
  await new Promise((resolve) => {
    socket.once('data', resolve);
  });
  return { finish: () => void socket.write(body), answered };
}

function connected(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => resolve(socket));
    socket.once('error', reject);
  });
}

async function untilNotReady(service: ServiceProcess): Promise<void> {
  while ((await service.anonymous.api.getReady()).status === 200);
}

test(
  'after SIGTERM the service is not ready, ends streams cleanly, finishes the request under way, and exits with 0',
  { timeout: MAY_TAKE_MS },
  async () => {
    await using service = await startServiceProcess();
    const owner = await service.signUp();
    const device = await service.linkDevice(owner);
    const { reportId } = bodyOf(await device.api.createReport({ body: shellOf(await bindProject(owner)) }));
    const watch = () => watchEvents(service.url, reportId, { cookie: owner.cookie });
    const watches = await Promise.all([watch(), watch(), watch()]);
    await Promise.all(watches.map((one) => one.until(() => one.events.length === 1)));
    // While the request is under way, the service still rejects a new stream, and the open streams end.
    const { finish, answered } = await slowRequest(service, owner.cookie);
    service.signal('SIGTERM');
    await untilNotReady(service);
    expect((await service.anonymous.api.getReady()).status).toBe(503);
    expect((await service.anonymous.api.getHealth()).status).toBe(200);
    await Promise.all(watches.map((one) => one.untilOver()));
    expect(watches.map((one) => one.ending())).toEqual(watches.map(() => 'ended'));
    expect((await watch()).status).toBe(503);
    finish();
    expect(await answered).toMatch(
      /^HTTP\/1\.1 100 Continue[\s\S]*HTTP\/1\.1 201 Created[\s\S]*connection: close/i,
    );
    expect(await service.ended).toEqual({ code: 0, signal: null });
  },
);

test('after Ctrl+C, which npm repeats, the service exits with 0', { timeout: MAY_TAKE_MS }, async () => {
  await using service = await startServiceProcess();
  service.signal('SIGINT');
  service.signal('SIGINT');
  expect(await service.ended).toEqual({ code: 0, signal: null });
});
