/** What a refusal says of single fields. */
import type { Issue } from '@svc/contract';
import { Refusal } from './api.ts';

/** By field name; only what is at the top of the body. */
export type FieldIssues = Readonly<Record<string, string>>;

export function issuesOf(error: unknown): FieldIssues {
  const details =
    error instanceof Refusal ? (error.details as { issues?: readonly Issue[] } | undefined) : undefined;
  const issues: Record<string, string> = {};
  for (const { path, message } of details?.issues ?? []) {
    const name = path.split('/')[1] ?? '';
    issues[name] ??= `This ${message}.`;
  }
  return issues;
}
