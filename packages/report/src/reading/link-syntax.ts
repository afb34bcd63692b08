/**
 * Links as Markdown and SARIF write them: `[text](target)`. Parsed by hand, not by a regular expression, since both
 * parts may contain brackets. The work for each link is bounded, so time is linear in the text.
 */
export interface LinkSyntax {
  /** The text without the backslashes that escape brackets or backslashes. */
  readonly text: string;
  /** The target without a title. */
  readonly target: string;
  readonly isImage: boolean;
  readonly start: number;
  /** The position after its last character. */
  readonly end: number;
}

const TEXT_LENGTH_MAX = 500;
const TARGET_LENGTH_MAX = 2000;

/** The links in order; none is within another. */
export function linksIn(given: string): LinkSyntax[] {
  const links: LinkSyntax[] = [];
  let from = 0;
  const first = given.indexOf('](');
  if (first === -1) return links;
  const closings = closingsIn(given, first);
  for (let middle = first; middle !== -1; middle = given.indexOf('](', middle + 2)) {
    const opening = openingOf(given, middle, from);
    const closing = opening === undefined ? undefined : closings.get(middle + 1);
    if (opening === undefined || closing === undefined) continue;
    const isImage = opening > from && given.charAt(opening - 1) === '!';
    const [target = ''] = given.slice(middle + 2, closing).split(' ', 1);
    links.push({
      text: given.slice(opening + 1, middle).replaceAll(/\\([[\]\\])/g, '$1'),
      target,
      isImage,
      start: isImage ? opening - 1 : opening,
      end: closing + 1,
    });
    from = closing + 1;
  }
  return links;
}

/** The opening bracket of the link text that ends at `end`; undefined if no link text ends there. */
function openingOf(text: string, end: number, from: number): number | undefined {
  if (isEscaped(text, end)) return undefined;
  const least = Math.max(from, end - TEXT_LENGTH_MAX - 1);
  for (let at = end - 1; at >= least; at -= 1) {
    const character = text.charAt(at);
    if (character === '\n') return undefined;
    if ((character === '[' || character === ']') && !isEscaped(text, at))
      return character === '[' && at < end - 1 ? at : undefined;
  }
  return undefined;
}

const BACKSLASHES_MAX = 32;

function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (count < BACKSLASHES_MAX && text.charAt(at - 1 - count) === '\\') count += 1;
  return count % 2 === 1;
}

/**
 * Maps the opening parenthesis of each target to the closing one, which may follow a title. Parentheses within a target
 * are in pairs. One pass finds all of them: they may be nested thousands of levels deep.
 */
function closingsIn(text: string, from: number): ReadonlyMap<number, number> {
  const closings = new Map<number, number>();
  let open: number[] = [];
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '(') open.push(at);
    else if (character === ')') close(open.pop(), at);
    else if (open.length > 0 && /\s/.test(character)) {
      const innermost = open.at(-1) ?? 0;
      close(innermost, endOfTitle(text, at), at);
      open = [];
    }
  }
  return closings;

  function close(opening: number | undefined, closing: number | undefined, end = closing): void {
    if (opening === undefined || closing === undefined || end === undefined) return;
    const isTarget = text.charAt(opening - 1) === ']' && end - opening <= TARGET_LENGTH_MAX;
    if (isTarget) closings.set(opening, closing);
  }
}

/** The title is in quotes, after one space. */
function endOfTitle(text: string, space: number): number | undefined {
  if (!text.startsWith(' "', space)) return undefined;
  const end = text.slice(space + 2, space + 2 + TEXT_LENGTH_MAX).search(/["\n]/);
  const closing = space + 2 + end + 1;
  return end !== -1 && text.startsWith('")', closing - 1) ? closing : undefined;
}
