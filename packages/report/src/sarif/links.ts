/**
 * Turns links in a message, `[text](target)`, into plain text: a number becomes the location it refers to, a web
 * address stays beside its text, and any other target is left out.
 */
import { linksIn } from '../reading/link-syntax.ts';
import { locationInText } from '../text/locations-in-text.ts';
import { bounded, fields, items, natural, type Fields } from './parts.ts';
import { MESSAGE_LENGTH_MAX } from './messages.ts';

const NUMBER = /^\d{1,9}$/;
const ADDRESS = /^https?:\/\/\S+$/i;

/** The target as text; undefined for a target that is left out. */
export type TargetText = (target: string) => string | undefined;

export function withTargets(message: string, targetText: TargetText): string {
  const links = message.includes('](') ? linksIn(message) : [];
  const parts: string[] = [];
  let from = 0;
  let length = message.length;
  for (const { text, target, start, end } of links) {
    if (length > MESSAGE_LENGTH_MAX) break;
    const shown = targetText(target);
    const isNew = shown !== undefined && !text.includes(shown);
    parts.push(unescaped(message.slice(from, start)), isNew ? `${text} (${shown})` : text);
    if (isNew) length += shown.length;
    from = end;
  }
  return bounded([...parts, unescaped(message.slice(from))].join(''), MESSAGE_LENGTH_MAX);
}

/** @param textOf returns a location as text */
export function targetsOf(result: Fields, textOf: (location: unknown) => string | undefined): TargetText {
  let byNumber: ReadonlyMap<number, unknown> | undefined;
  const known = new Map<number, string | undefined>();
  return (target) => {
    if (ADDRESS.test(target)) return target;
    if (!NUMBER.test(target)) return undefined;
    byNumber ??= numberedLocations(result);
    const number = Number(target);
    if (!known.has(number) && byNumber.has(number)) {
      const location = textOf(byNumber.get(number));
      known.set(number, location === undefined ? undefined : locationInText(location));
    }
    return known.get(number);
  };
}

/** The locations of a result that have an id, by id. Of several with the same id, the first counts. */
function numberedLocations(result: Fields): ReadonlyMap<number, unknown> {
  const steps = items(result['codeFlows'])
    .flatMap((flow) => items(fields(flow)['threadFlows']))
    .flatMap((flow) => items(fields(flow)['locations']))
    .map((step) => fields(step)['location']);
  const numbered = new Map<number, unknown>();
  for (const location of [...items(result['relatedLocations']), ...items(result['locations']), ...steps]) {
    const id = natural(fields(location)['id']);
    if (id !== undefined && !numbered.has(id)) numbered.set(id, location);
  }
  return numbered;
}

function unescaped(given: string): string {
  return given.replaceAll(/\\([[\]\\])/g, '$1');
}
