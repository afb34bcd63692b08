/**
 * Fixes that a tool proposes: its own text as advice, or the replacement as evidence. Evidence keeps location and
 * code apart from the text, so that a share can hide them.
 */
import { fields, items, natural, type Fields } from './parts.ts';
import { withTargets } from './links.ts';
import { filledMessage } from './messages.ts';

/** The maximum number of fixes of one result. */
const FIXES_MAX = 5;
/** The maximum number of changes in all fixes of one result together. */
const CHANGES_MAX = 8;

export interface Change {
  /** The proposed change as a sentence, without the location. */
  readonly description: string;
  /** A location in the form that results use. */
  readonly location: Fields;
  /** The text to insert. */
  readonly inserted?: string;
}

export interface Fixes {
  /** One text for each fix with a description. */
  readonly advice: readonly string[];
  readonly changes: readonly Change[];
  /** The number of fixes and changes that exceed the limit or have no location. */
  readonly leftOut: number;
}

export function fixesOf(result: Fields): Fixes {
  const all = items(result['fixes']).map(fields);
  const fixes = all.slice(0, FIXES_MAX).map((fix) => {
    const advice = adviceOf(fix['description']);
    return advice === undefined ? { changes: changesOf(fix) } : { advice, changes: [] };
  });
  const changes = fixes.flatMap((fix) => fix.changes);
  const shown = changes.slice(0, CHANGES_MAX);
  const empty = fixes.filter((fix) => fix.advice === undefined && fix.changes.length === 0);
  return {
    advice: fixes.flatMap(({ advice }) => advice ?? []),
    changes: shown,
    leftOut: all.length - fixes.length + changes.length - shown.length + empty.length,
  };
}

/** The description as text. Targets of links are kept only if they are web addresses. */
function adviceOf(description: unknown): string | undefined {
  const message = filledMessage(description);
  if (message === undefined) return undefined;
  return (
    withTargets(message, (target) => (/^https?:/i.test(target) ? target : undefined)).trim() || undefined
  );
}

function changesOf(fix: Fields): Change[] {
  return items(fix['artifactChanges'])
    .map(fields)
    .flatMap(({ artifactLocation, replacements }) =>
      items(replacements)
        .map(fields)
        .flatMap((replacement) => changeOf(artifactLocation, replacement) ?? []),
    );
}

/** Undefined where the log does not name the part of the file to be changed: it could be the whole file. */
function changeOf(artifactLocation: unknown, replacement: Fields): Change | undefined {
  const { snippet: _, ...region } = fields(replacement['deletedRegion']);
  const isPlaced = (natural(region['startLine']) ?? 0) > 0 || natural(region['charOffset']) !== undefined;
  if (!isPlaced || Object.keys(fields(artifactLocation)).length === 0) return undefined;
  const location = { physicalLocation: { artifactLocation, region } };
  const { text: inserted } = fields(replacement['insertedContent']);
  if (typeof inserted !== 'string' || inserted === '')
    return { location, description: 'The tool proposes to delete this.' };
  const what = isEmpty(region) ? 'insert this' : 'replace it with this';
  return {
    location,
    description: `The tool proposes to ${what}.`,
    inserted: inserted.toWellFormed(),
  };
}

function isEmpty({ startLine, endLine = startLine, startColumn, endColumn, charLength }: Fields): boolean {
  return (
    charLength === 0 || (startLine === endLine && startColumn !== undefined && startColumn === endColumn)
  );
}
