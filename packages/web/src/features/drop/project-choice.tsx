/** The project of an upload: an existing one, or a new one. */
import type { Project, Workspace } from '@svc/contract';
import { useState } from 'react';
import { SelectField, TextField } from '../../ui/field.tsx';
import type { UploadPlace } from './upload-place.ts';

/** The value of the choice that creates a project. */
const NEW_PROJECT = 'new';

export interface ProjectChoiceProps {
  readonly projects: readonly Project[];
  readonly workspaces: readonly Workspace[];
  readonly place: UploadPlace;
  /** Offered for a new project. */
  readonly name: string;
}

export function ProjectChoice({ projects, workspaces, place, name }: ProjectChoiceProps) {
  const { workspaceId = workspaces[0]?.workspaceId, projectId } = place;
  const near = projects.filter(
    (project) => place.workspaceId === undefined || project.workspaceId === workspaceId,
  );
  const [chosen, setChosen] = useState(projectId ?? near.at(-1)?.projectId ?? NEW_PROJECT);
  return (
    <>
      <SelectField
        label="Project"
        name="project"
        value={chosen}
        onChange={({ currentTarget }) => setChosen(currentTarget.value)}
      >
        {projects.map((project) => (
          <option key={project.projectId} value={project.projectId}>
            {labelOf(project, workspaces)}
          </option>
        ))}
        <option value={NEW_PROJECT}>New project</option>
      </SelectField>
      {chosen === NEW_PROJECT ? (
        <>
          <TextField label="Name of the new project" name="name" defaultValue={name} required />
          <SelectField label="Workspace" name="workspaceId" defaultValue={workspaceId}>
            {workspaces.map((workspace) => (
              <option key={workspace.workspaceId} value={workspace.workspaceId}>
                {workspace.name}
              </option>
            ))}
          </SelectField>
        </>
      ) : null}
    </>
  );
}

function labelOf({ name, workspaceId }: Project, workspaces: readonly Workspace[]): string {
  if (workspaces.length < 2) return name;
  return `${name} (${workspaces.find((each) => each.workspaceId === workspaceId)?.name ?? ''})`;
}
