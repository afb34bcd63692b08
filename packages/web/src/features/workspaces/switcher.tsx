/** Switches to another workspace. */
import { Link } from '@tanstack/react-router';
import type { Workspace } from '@svc/contract';
import { Disclosure } from '../../ui/disclosure.tsx';
import { SkeletonLine } from '../../ui/skeleton.tsx';
import type { Workspaces } from './current.ts';
import { factsOf } from './labels.ts';

export function WorkspaceSwitcher({ workspaces: { all, current } }: { readonly workspaces: Workspaces }) {
  if (!current) return <SkeletonLine className="h-5 w-20" />;
  return (
    <Disclosure
      label={
        <>
          <span className="sr-only">Workspace</span>
          <bdi className="max-w-32 min-w-0 truncate sm:max-w-48">{current.name}</bdi>
        </>
      }
    >
      {(close) => (
        <ul aria-label="Workspaces">
          {all.map((workspace) => (
            <Item
              key={workspace.workspaceId}
              workspace={workspace}
              isCurrent={workspace === current}
              onFollow={close}
            />
          ))}
          <li className="mt-1 border-t border-line pt-1">
            <Link
              to="/workspaces/$id"
              params={{ id: current.workspaceId }}
              onClick={close}
              className="flex min-h-8 pointer-coarse:min-h-11 items-center rounded px-2 py-1 hover:bg-hover"
            >
              Manage this workspace
            </Link>
          </li>
        </ul>
      )}
    </Disclosure>
  );
}

interface ItemProps {
  readonly workspace: Workspace;
  readonly isCurrent: boolean;
  readonly onFollow: () => void;
}

function Item({ workspace, isCurrent, onFollow }: ItemProps) {
  return (
    <li>
      <Link
        to="/workspaces/$id/projects"
        params={{ id: workspace.workspaceId }}
        onClick={onFollow}
        className={`block rounded px-2 py-1 pointer-coarse:py-2 hover:bg-hover ${isCurrent ? 'bg-chosen' : ''}`}
      >
        <bdi className="font-strong">{workspace.name}</bdi>
        {isCurrent ? <span className="sr-only">, current</span> : null}
        <span className="block text-small text-quiet">{factsOf(workspace)}</span>
      </Link>
    </li>
  );
}
