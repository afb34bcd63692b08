/** Projects: a repository bound to a workspace. */
import Type, { type Static } from 'typebox';
import { limits } from './limits.ts';
import { SeverityCounts } from './severity.ts';
import { closed, idGiven, line, matching, nullable, recordId, timestamp } from './schema.ts';

export const BindingPublicId = matching(
  /^[A-Za-z0-9_-]{8,128}$/,
  `must be ${limits.bindingLengthMin} to ${limits.bindingLengthMax} letters, digits, hyphens or underscores`,
  { description: 'The public id of a repository, stored in a file that is committed to it.' },
);

export const CreateProjectBody = closed({
  workspaceId: idGiven,
  name: line(1, limits.projectNameLengthMax),
  bindingPublicId: BindingPublicId,
});

export const Project = closed(
  {
    projectId: recordId('prj'),
    workspaceId: recordId('ws'),
    name: Type.String(),
    bindingPublicId: Type.String(),
    createdAt: timestamp,
    lastReportAt: nullable(timestamp),
    openFindings: nullable(SeverityCounts),
  },
  { title: 'Project' },
);
export type Project = Static<typeof Project>;
