/** The project, the scan, the authorization and the coverage areas of a report body. */
import Type from 'typebox';
import { limits } from './limits.ts';
import { authorizationBases, coverageStatuses, effortsRequested, effortsResolved } from './enums.ts';
import { closed, matching, text, time } from './schema.ts';

const count = Type.Integer({ minimum: 0 });

export const ScannedProject = closed({
  name: text(0, 200),
  repositoryUrl: Type.Optional(text(0, 500)),
  defaultBranch: Type.Optional(text(0, 200)),
  languages: Type.Optional(Type.Array(text(0, 120), { maxItems: limits.report.languagesMax })),
  fileCount: Type.Optional(count),
});

const Tool = closed({
  name: text(0, 120),
  version: Type.Optional(text(0, 120)),
  findings: Type.Optional(count),
});

export const Scan = closed({
  startedAt: time,
  finishedAt: time,
  effortRequested: Type.Enum([...effortsRequested]),
  effortResolved: Type.Enum([...effortsResolved]),
  commit: Type.Optional(matching(/^[0-9a-fA-F]{7,64}$/, 'must be 7 to 64 hexadecimal characters')),
  branch: Type.Optional(text(0, 200)),
  agent: closed({ name: text(0, 120), version: text(0, 120), model: Type.Optional(text(0, 120)) }),
  host: closed({ osFamily: text(0, 120), arch: text(0, 120), cliVersion: text(0, 120) }),
  tools: Type.Optional(Type.Array(Tool, { maxItems: limits.report.toolsMax })),
});

export const Authorization = closed({
  basis: Type.Enum([...authorizationBases]),
  scope: Type.Array(text(0, 500), { maxItems: limits.report.scopeMax }),
  grantedBy: Type.Optional(text(0, 200)),
  expiresAt: Type.Optional(time),
});

export const CoverageArea = closed({
  id: text(0, 120),
  name: text(0, 200),
  status: Type.Enum([...coverageStatuses]),
  note: Type.Optional(text(0, 1000)),
});
