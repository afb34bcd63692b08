import { bodyOf, startServer, syncReport, type SessionActor, type TestServer } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { describe, expect, test } from 'vitest';

const TOKEN = 'a-token-for-the-metrics-of-tests';

function metricsOf({ anonymous }: TestServer, authorization?: string) {
  return anonymous.fetch('/metrics', { headers: authorization === undefined ? {} : { authorization } });
}

/** The values of a metric by its labels. */
async function valuesOf(server: TestServer, name: string): Promise<Map<string, number>> {
  const text = await (await metricsOf(server, `Bearer ${TOKEN}`)).text();
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `));
  return new Map(
    lines.map((line) => {
      const end = line.lastIndexOf(' ');
      return [line.slice(name.length, end), Number(line.slice(end + 1))];
    }),
  );
}

describe('without METRICS_TOKEN', () => {
  test('[D15] /metrics is answered like an unknown address', async () => {
    await using server = await startServer();
    const shape = async (path: string) => {
      const answer = await server.anonymous.fetch(path, { headers: { authorization: `Bearer ${TOKEN}` } });
      const { error } = (await answer.json()) as { error: object };
      return [answer.status, { ...error, requestId: '' }];
    };
    expect(await shape('/metrics')).toEqual(await shape('/metricz'));
  });
});

describe('with METRICS_TOKEN', () => {
  const server = sharedServer({ config: { metricsToken: TOKEN } });

  test('[D15] only its bearer token reads the metrics', async () => {
    const owner = await server.signUp();
    const device = await server.linkDevice(owner);
    const wrong = [
      undefined,
      '',
      TOKEN,
      `Bearer ${TOKEN}x`,
      `Bearer ${TOKEN.slice(1)}`,
      'Bearer',
      `Basic ${TOKEN}`,
    ];
    const answers = [
      ...(await Promise.all(wrong.map((authorization) => metricsOf(server, authorization)))),
      await owner.fetch('/metrics'),
      await device.fetch('/metrics'),
      await server.anonymous.fetch(`/metrics?token=${TOKEN}`),
    ];
    for (const answer of answers) {
      expect(answer.status).toBe(401);
      expect(await answer.json()).toMatchObject({ error: { code: 'UNAUTHENTICATED' } });
    }
    const right = await metricsOf(server, `Bearer ${TOKEN}`);
    expect([right.status, right.headers.get('content-type'), right.headers.get('cache-control')]).toEqual([
      200,
      'text/plain; version=0.0.4; charset=utf-8',
      'no-store',
    ]);
  });

  test('[D15] counts requests by method, route template and status', async () => {
    const name = 'svc_http_request_duration_seconds_count';
    const labels = '{method="GET",route="/api/v1/health",status="200"}';
    const before = (await valuesOf(server, name)).get(labels) ?? 0;
    bodyOf(await server.anonymous.api.getHealth());
    // A request is counted when the connection has sent the response, which the reader may notice first.
    let after = before;
    while (after === before) after = (await valuesOf(server, name)).get(labels) ?? 0;
    expect(after).toBe(before + 1);
  });

  test('[D15] an unknown path and an unknown method add no label of their own', async () => {
    await server.anonymous.fetch('/canary-path-81c2');
    await server.anonymous.fetch('/canary-path-81c2', { method: 'CANARY' }).catch(() => undefined);
    const labels = [...(await valuesOf(server, 'svc_http_request_duration_seconds_count')).keys()].join('\n');
    expect(labels).toContain('route="unknown",status="404"');
    expect(labels).not.toMatch(/canary/i);
  });

  test('[D15] the metrics cover calls of the blob store, open requests, streams and the event loop', async () => {
    await syncReport(await server.linkDevice(await server.signUp()));
    const puts = await valuesOf(server, 'svc_dependency_call_duration_seconds_count');
    expect(puts.get('{dependency="blobs",operation="put",result="ok"}')).toBeGreaterThan(0);
    expect((await valuesOf(server, 'svc_http_requests_under_way')).get('')).toBeGreaterThan(0);
    expect((await valuesOf(server, 'svc_streams_open')).get('')).toBe(0);
    expect((await valuesOf(server, 'nodejs_eventloop_lag_p99_seconds')).size).toBe(1);
  });

  test('[D15] the metrics contain no id of a person or a report, no email address and no token', async () => {
    const owner: SessionActor = await server.signUp();
    const device = await server.linkDevice(owner);
    const { reportId } = await syncReport(device);
    bodyOf(await owner.api.getReport({ params: { id: reportId } }));
    const text = await (await metricsOf(server, `Bearer ${TOKEN}`)).text();
    expect(text).toContain('/api/v1/reports/:id');
    for (const secret of [reportId, owner.user.userId, owner.user.email, TOKEN])
      expect(text).not.toContain(secret);
  });
});
