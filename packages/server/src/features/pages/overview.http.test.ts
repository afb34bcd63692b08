/** The data that the first page and the list of projects contain before they send a request. */
import { bindProject, bodyOf, createTeam, firstDataOf, syncReport, type Actor } from '@svc/testkit';
import { sharedServer } from '@svc/testkit/suite';
import { expect, test } from 'vitest';

const OPERATOR = 'operator@example.test';
const server = sharedServer({ generousPlans: true, config: { platformAdminEmail: OPERATOR } });

async function answersOf(by: Actor, path: string): Promise<Record<string, unknown>> {
  const { data } = await firstDataOf(await by.fetch(path, { headers: { accept: 'text/html' } }));
  return Object.fromEntries(data.map(({ name, body }) => [name, body]));
}

test('a page contains the same data as the API returns to that person', async () => {
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const project = await bindProject(owner);
  for (const _ of [1, 2]) await syncReport(device, { project });
  const asked = {
    listReports: bodyOf(await owner.api.listReports()),
    listWorkspaces: bodyOf(await owner.api.listWorkspaces()),
    listProjects: bodyOf(await owner.api.listProjects()),
  };
  const listed = { getSession: { user: owner.user }, ...asked };
  expect(await answersOf(owner, `/workspaces/${project.workspaceId}/projects`)).toEqual(listed);
  const { workspaceId } = project;
  const params = { id: workspaceId };
  expect(await answersOf(owner, '/')).toEqual({
    ...listed,
    getSyncQuota: bodyOf(await owner.api.getSyncQuota({ query: { workspaceId } })),
    getWorkspaceOverview: bodyOf(await owner.api.getWorkspaceOverview({ params })),
    getWorkspaceTrends: bodyOf(await owner.api.getWorkspaceTrends({ params, query: { days: '90' } })),
    listWorkspaceShares: bodyOf(await owner.api.listWorkspaceShares({ params })),
  });
});

test('a page contains nothing without a session, and a device does not count as one', async () => {
  const owner = await server.signUp();
  for (const nobody of [server.anonymous, await server.linkDevice(owner)])
    expect(await answersOf(nobody, '/')).toEqual({ getSession: null });
});

test('[D17] a page contains no report of others for an administrator who is a member', async () => {
  const owner = await server.signUp();
  const operator = await server.signUp({ email: OPERATOR });
  const project = await bindProject(owner, await createTeam(owner, [operator]));
  const { reportId } = await syncReport(await server.linkDevice(owner), { project });
  expect(JSON.stringify(await answersOf(operator, '/'))).not.toContain(reportId);
  expect(JSON.stringify(await answersOf(owner, '/'))).toContain(reportId);
});
