/** What the first page knows before it has asked for anything. */
import {
  bindProject,
  bodyOf,
  createTeam,
  startServer,
  syncReport,
  type Actor,
  type TestServer,
} from '@svc/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';

const OPERATOR = 'operator@example.test';
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ generousPlans: true, config: { platformAdminEmail: OPERATOR } });
});
afterAll(() => server.close());

interface Answer {
  readonly name: string;
  readonly body: unknown;
}

async function answersOf(by: Actor, path: string): Promise<Record<string, unknown>> {
  const text = await (await by.fetch(path, { headers: { accept: 'text/html' } })).text();
  const [, json = ''] = /<script type="application\/json" id="first-data">(.*)<\/script>/.exec(text) ?? [];
  return Object.fromEntries((JSON.parse(json) as Answer[]).map(({ name, body }) => [name, body]));
}

test('it holds what the API answers to the same person', async () => {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner);
  for (const _ of [1, 2]) await syncReport(device, { project });
  const asked = {
    listReports: bodyOf(await owner.api.listReports()),
    listWorkspaces: bodyOf(await owner.api.listWorkspaces()),
    listProjects: bodyOf(await owner.api.listProjects()),
  };
  for (const path of ['/', `/projects/${project.projectId}`])
    expect(await answersOf(owner, path)).toEqual({ getSession: { user: owner.user }, ...asked });
});

test('signed out it holds nothing, and a device is nobody there', async () => {
  const owner = await server.signUp();
  for (const nobody of [server.anonymous, await server.linkDevice(owner)])
    expect(await answersOf(nobody, '/')).toEqual({ getSession: null });
});

test('[D17] an administrator who is a member gets no report of others', async () => {
  const owner = await server.signUp();
  const operator = await server.signUp({ email: OPERATOR });
  const project = await bindProject(owner, await createTeam(owner, [operator]));
  const { reportId } = await syncReport(await server.linkDevice(owner), { project });
  expect(JSON.stringify(await answersOf(operator, '/'))).not.toContain(reportId);
  expect(JSON.stringify(await answersOf(owner, '/'))).toContain(reportId);
});
