/** The issues of an API error by field. */
import type { Issue } from '@svc/contract';
import { ApiError } from './api.ts';

/** The issues by field name; only for top-level fields of the body. */
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
