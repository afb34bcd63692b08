/** The issues of an API error by field. */
import type { Issue } from '@svc/contract';
import { ApiError } from './api.ts';

/** The first issue of each top-level field of the body, by its name. Issues of nested fields count for it. */
export type FieldIssues = Readonly<Record<string, string>>;

export function issuesOf(error: unknown): FieldIssues {
  const details =
    error instanceof ApiError ? (error.details as { issues?: readonly Issue[] } | undefined) : undefined;
  const issues: Record<string, string> = {};
  for (const { path, message } of details?.issues ?? []) {
    const name = path.split('/')[1] ?? '';
    issues[name] ??= `This ${message}.`;
  }
  return issues;
}
