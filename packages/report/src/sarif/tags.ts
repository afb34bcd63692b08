/** The tags of an imported finding: its tool and its rule first, so that they stay when others are left out. */
import { limits } from '@svc/contract';
import { isReservedTag, RULE_TAG, TOOL_TAG } from '../reading/tags.ts';
import { bounded, items, text, type Fields } from './parts.ts';
import type { Losses } from './losses.ts';
import { properties, type Cleaner } from './messages.ts';

const { finding: bounds } = limits;

/** Limited, because all results of a rule have its tags. */
const TAGS_READ_MAX = 100;
const TAG_READ_LENGTH_MAX = 300;

export interface GivenTags {
  readonly tags: readonly string[];
  /** The number of tags that were not read. */
  readonly unread: number;
}

/** The tags that a result or a rule has in its log. */
export function tagsIn(of: Fields): GivenTags {
  const given = items(properties(of)['tags']);
  return {
    tags: boundedTexts(given.slice(0, TAGS_READ_MAX)),
    unread: Math.max(0, given.length - TAGS_READ_MAX),
  };
}

export function boundedTexts(given: readonly unknown[]): string[] {
  return given.flatMap((item) => {
    const found = text(item);
    return found === undefined ? [] : [bounded(found, TAG_READ_LENGTH_MAX)];
  });
}

export interface TagContext {
  readonly tool: string;
  readonly cleaner: Cleaner;
  readonly losses: Losses;
}

/** @param ruleId empty for a result without a rule. */
export function importedTags(
  ruleId: string,
  given: readonly string[],
  { tool, cleaner, losses }: TagContext,
): string[] {
  const named = [`${TOOL_TAG}${tool}`, ...(ruleId === '' ? [] : [`${RULE_TAG}${ruleId}`])];
  const free = given.filter((tag) => !isReservedTag(tag));
  losses.count('reservedTags', given.length - free.length);
  return boundedTags([...named, ...free], { cleaner, losses });
}

/** The first tags up to the limit, without duplicates. */
export function boundedTags(
  given: readonly string[],
  { cleaner, losses }: Omit<TagContext, 'tool'>,
): string[] {
  const clean = given.map((tag) => cleaner.name(tag, bounds.tagLengthMax));
  const tags = [...new Set(clean)].filter((tag) => tag.trim() !== '');
  losses.count('tags', tags.length - bounds.tagsMax);
  return tags.slice(0, bounds.tagsMax);
}
