/** The tools of a run's findings: the run's own, or those that our own export names. */
import { toolIn } from '../reading/tags.ts';
import { OWN_TOOL } from '../identity/own-names.ts';
import type { Arrival } from '../intake/deduplication.ts';
import type { Fields } from './parts.ts';
import type { Cleaner } from './messages.ts';
import { ownTools } from './own.ts';

interface NamedTool {
  readonly name: string;
  readonly version?: string;
}

export interface CountedTool extends NamedTool {
  readonly findings: number;
}

const NAME_LENGTH_MAX = 120;

interface Imported {
  readonly findings: readonly Pick<Arrival, 'tags'>[];
  readonly cleaner: Cleaner;
}

/** Findings of an unnamed tool count for the run's own tool, which is left out if other tools have all findings. */
export function toolsOf(run: Fields, tool: NamedTool, { findings, cleaner }: Imported): CountedTool[] {
  const named = tool.name === OWN_TOOL ? ownTools(run).map((other) => cleaned(other, cleaner)) : [];
  if (named.length === 0) return [{ ...tool, findings: findings.length }];
  const left = new Map<string, number>();
  for (const { tags } of findings) {
    const name = toolIn(tags) ?? '';
    left.set(name, (left.get(name) ?? 0) + 1);
  }
  // For a tool in several versions the first counts for all: a finding does not name its version.
  const counted = named.map((other) => {
    const count = left.get(other.name) ?? 0;
    left.delete(other.name);
    return { ...other, findings: count };
  });
  const others = [...left.values()].reduce((sum, count) => sum + count, 0);
  return others === 0 ? counted : [...counted, { ...tool, findings: others }];
}

function cleaned({ name, version }: NamedTool, cleaner: Cleaner): NamedTool {
  return {
    name: cleaner.name(name, NAME_LENGTH_MAX),
    ...(version !== undefined && { version: cleaner.name(version, NAME_LENGTH_MAX) }),
  };
}
