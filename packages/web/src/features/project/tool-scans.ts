/** The tools that scanned a project, from the overview of its workspace. */
import { useQuery } from '@tanstack/react-query';
import type { ToolScan } from '@svc/contract';
import { query } from '../../lib/api.ts';

/** Newest first; undefined while loading. */
export function useToolScans(workspaceId: string, projectId: string): readonly ToolScan[] | undefined {
  const { data, isError } = useQuery({
    ...query('getWorkspaceOverview', { params: { id: workspaceId } }),
    throwOnError: false,
  });
  if (isError) return [];
  return data && (data.projects.find((each) => each.projectId === projectId)?.lastScans ?? []);
}
