/** The pages that are audited and measured: an account with reports of several sizes, and shares of them. */
import {
  bindProject,
  findingBody,
  shareOf,
  syncReport,
  type BoundProject,
  type SessionActor,
  type TestServer,
} from '@svc/testkit';

export interface Subject {
  readonly owner: SessionActor;
  /** @returns the URL of a share of a new report with this number of findings. */
  readonly share: (size: number) => Promise<string>;
  /** @returns the URL of a new report with this number of findings. */
  readonly report: (size: number) => Promise<string>;
  /** The URLs of the main pages by name, all about reports of at most fifty findings. */
  readonly mainPages: () => Promise<readonly (readonly [name: string, url: string])[]>;
}

const FEW = 50;
const RULES = 40;
const severities = ['critical', 'high', 'medium', 'low', 'info'];

export async function createSubject(server: TestServer): Promise<Subject> {
  const { url } = server;
  const owner = await server.signUp();
  const device = await server.linkDevice(owner);
  const sync = async (size: number, project?: BoundProject) =>
    (await syncReport(device, { body: { findings: findingsOf(size) }, ...(project && { project }) }))
      .reportId;
  async function share(size: number): Promise<string> {
    const { slug } = await shareOf(owner, await sync(size));
    return `${url}/s/${slug}`;
  }
  return {
    owner,
    share,
    report: async (size) => `${url}/reports/${await sync(size)}`,
    async mainPages() {
      const project = await bindProject(owner);
      const { workspaceId, projectId } = project;
      await sync(FEW - 10, project);
      const report = `${url}/reports/${await sync(FEW, project)}`;
      return [
        ['share', await share(FEW)],
        ['report', report],
        ['overview', `${url}/`],
        ['project', `${url}/projects/${projectId}`],
        ['findings', `${url}/workspaces/${workspaceId}/findings`],
        ['finding', `${report}?finding=F-1`],
      ];
    },
  };
}

function findingsOf(size: number): Record<string, unknown>[] {
  return Array.from({ length: size }, (_, index) => ({
    ...findingBody(index + 1),
    severity: severities[index % severities.length],
    title: `Order lookup ${index + 1} trusts the id it is given`,
    tags: ['tool:Linter', `rule:rule-${index % RULES}`],
    evidence: [{ kind: 'source', description: 'By id alone.', snippet: 'orders.get(id);\n'.repeat(20) }],
  }));
}
