/** The permanent address of a finding: leads to the newest report that contains the finding. */
import { useSuspenseQuery } from '@tanstack/react-query';
import { useParams, useRouter } from '@tanstack/react-router';
import type { Project } from '@svc/contract';
import { useEffect } from 'react';
import { query } from '../lib/api.ts';
import { NotFound } from '../ui/failure.tsx';
import { Page } from '../ui/page.tsx';

const FINDING_KEY = /^[0-9a-z]{26}$/;
const from = '/signed-in/projects/$id/findings/$findingKey';

export function ProjectFindingPage() {
  const { id, findingKey } = useParams({ from });
  const { projects } = useSuspenseQuery(query('listProjects')).data;
  const project = projects.find(({ projectId }) => projectId === id);
  if (!project || !FINDING_KEY.test(findingKey)) return <NotFound />;
  return <Found project={project} findingKey={findingKey} />;
}

function Found({ project, findingKey }: { readonly project: Project; readonly findingKey: string }) {
  const { projectId, workspaceId, name } = project;
  const wanted = { params: { id: workspaceId }, query: { projectId, findingKey } };
  const [finding] = useSuspenseQuery(query('listWorkspaceFindings', wanted)).data.findings;
  const address = finding && `/reports/${finding.reportId}?finding=${finding.findingId}`;
  const router = useRouter();
  useEffect(() => {
    if (address !== undefined) void router.navigate({ href: address, replace: true });
  }, [router, address]);
  if (!finding) {
    return (
      <Page title="Finding not listed">
        <p>{name} has no such finding now: it was fixed, or all reports that have it have expired.</p>
        <p>
          <a href={`/projects/${projectId}`} className="text-accent-text underline">
            Go to {name}
          </a>
        </p>
      </Page>
    );
  }
  return null;
}
