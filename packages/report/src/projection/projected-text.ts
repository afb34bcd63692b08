/**
 * Texts as a share shows them. Names of the project and mentions of findings are both searched in the original text,
 * so that neither hides the other or matches a replacement.
 */
import type { Mention } from './renumbering.ts';
import type { Span } from './term-search.ts';

const REDACTED = '[redacted]';

export type Rewrite = (text: string) => string;

export interface Replaced {
  readonly mentions?: ((text: string) => readonly Mention[]) | undefined;
  readonly terms?: ((text: string) => readonly Span[]) | undefined;
}

export function rewriting({ mentions, terms }: Replaced): Rewrite {
  if (mentions === undefined && terms === undefined) return (text) => text;
  return (text) => {
    const mentioned = mentions?.(text) ?? [];
    const named = terms?.(text) ?? [];
    return mentioned.length + named.length === 0 ? text : written(text, joined(mentioned, named));
  };
}

interface Replacement extends Span {
  readonly becomes: string | null;
}

function written(text: string, replacements: readonly Replacement[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, end, becomes } of replacements) {
    parts.push(text.slice(from, start), becomes ?? REDACTED);
    from = end;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/**
 * Each list is in order and without overlaps. A term within a mention is replaced together with the mention; ids can
 * contain the project's name. A term that overlaps a mention in any other way is redacted together with the mention,
 * which is then part of a name.
 */
function joined(mentioned: readonly Mention[], named: readonly Span[]): readonly Replacement[] {
  if (named.length === 0) return mentioned;
  const terms = named.map(({ start, end }) => ({ start, end, becomes: null, isTerm: true }));
  const all = [...terms, ...mentioned.map((mention) => ({ ...mention, isTerm: false }))].toSorted(
    (one, other) => one.start - other.start || other.end - one.end,
  );
  const kept: (Replacement & { isTerm: boolean })[] = [];
  for (const next of all) {
    const last = kept.at(-1);
    if (last === undefined || next.start >= last.end) kept.push(next);
    else if (last.isTerm || next.end > last.end || last.end - last.start === next.end - next.start)
      kept[kept.length - 1] = {
        start: last.start,
        end: Math.max(last.end, next.end),
        becomes: null,
        isTerm: true,
      };
  }
  return kept;
}
