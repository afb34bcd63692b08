/** What the documents of pages with findings contain, and for whom. */
import {
  bindProject,
  bodyOf,
  createFakeClock,
  findingBody,
  firstDataOf,
  syncReport,
  type Actor,
  type BoundProject,
} from '@svc/testkit';
import { sharedTeamServer } from '@svc/testkit/suite';
import { beforeEach, expect, test } from 'vitest';

const TITLE = 'Order lookup trusts the id it is given';
const server = sharedTeamServer(createFakeClock());
let project: BoundProject;

beforeEach(async () => {
  project = await bindProject(server.owner, server.team);
  await syncReport(server.device, { body: { findings: [findingBody(1)] }, project });
});

const ofProject = () => ({ query: { projectId: project.projectId } });
const ofTeam = () => ({ query: { workspaceId: server.team } });

async function findings(by: Actor, query: Record<string, string>) {
  const input = { params: { id: server.team }, query };
  return { name: 'listWorkspaceFindings', input, body: bodyOf(await by.api.listWorkspaceFindings(input)) };
}

/** The data besides the session, which the document contains in a window. */
async function dataIn(by: Actor, address: string, headers: Record<string, string> = {}) {
  const answer = await by.fetch(address, {
    headers: { accept: 'text/html', 'sec-fetch-dest': 'document', ...headers },
  });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('vary')).toBe('accept-encoding, cookie, purpose, sec-fetch-dest, sec-purpose');
  const { data, rest } = await firstDataOf(answer);
  expect(rest).not.toContain(TITLE);
  expect(data[0]?.name).toBe('getSession');
  return data.slice(1);
}

async function addresses(): Promise<readonly string[]> {
  const { body } = await findings(server.owner, ofProject().query);
  const { projectId } = project;
  return [
    `/workspaces/${server.team}/findings`,
    `/projects/${projectId}`,
    `/projects/${projectId}/findings/${body.findings[0]?.findingKey}`,
  ];
}

test('the document contains for owner and members what the API returns', async () => {
  const [ofWorkspace = '', page = '', ofFinding = ''] = await addresses();
  const { projectId } = project;
  const findingKey = ofFinding.split('/').at(-1) ?? '';
  for (const { api, ...person } of [server.owner, server.member]) {
    const by = { api, ...person };
    const workspaces = { name: 'listWorkspaces', body: bodyOf(await api.listWorkspaces()) };
    const projects = { name: 'listProjects', body: bodyOf(await api.listProjects()) };
    expect(await dataIn(by, ofWorkspace)).toEqual([
      workspaces,
      { name: 'listProjects', input: ofTeam(), body: bodyOf(await api.listProjects(ofTeam())) },
      { ...(await findings(by, { sort: 'severity' })), isFirstPage: true },
    ]);
    expect(await dataIn(by, page)).toEqual([
      workspaces,
      projects,
      { name: 'listReports', input: ofProject(), body: bodyOf(await api.listReports(ofProject())) },
      { ...(await findings(by, { projectId, sort: 'severity' })), isFirstPage: true },
    ]);
    const found = await findings(by, { projectId, findingKey });
    expect(await dataIn(by, ofFinding)).toEqual([workspaces, projects, found]);
    expect(found.body.findings).toMatchObject([{ title: TITLE }]);
  }
});

test('the document contains no finding for a search, nor unless the request says that a window opens it', async () => {
  for (const address of await addresses()) {
    const answers = [
      await dataIn(server.owner, `${address}?q=orders`),
      await dataIn(server.owner, address, { 'sec-fetch-dest': 'empty' }),
      await dataIn(server.owner, address, { 'sec-purpose': 'prefetch' }),
    ];
    for (const data of answers) {
      expect(data.length).toBeGreaterThan(1);
      expect(JSON.stringify(data)).not.toContain(TITLE);
    }
  }
});

test('[D17] the document contains no finding for others, and does not reveal whether the address exists', async () => {
  const stranger = await server.signUp();
  const none = [`/workspaces/wsp_1/findings`, '/projects/prj_1', '/projects/prj_1/findings/none'];
  const given = await addresses();
  for (const by of [server.anonymous, stranger])
    for (const [at, address] of given.entries())
      expect(await dataIn(by, address)).toEqual(await dataIn(by, none[at] ?? ''));
  for (const address of given)
    expect(JSON.stringify(await dataIn(server.operator, address))).not.toContain(TITLE);
});
