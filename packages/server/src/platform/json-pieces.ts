/**
 * Parses a large JSON document in pieces. As a single string it would take twice its size in memory, which the system
 * has to provide and clear; that takes several times as long as the parsing.
 *
 * The document without its pieces is parsed first, with each piece's number in its place. A piece is parsed as a list
 * of its own. So the result is that of `JSON.parse` for every document, valid or not: numbers stand only where a value
 * may, and each of them stands for one or more values that commas separate.
 */
import { isUtf8 } from 'node:buffer';
import type { JsonPiece } from './json-shape.ts';

const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** A document whose lists hold the numbers of pieces in the place of items. */
export interface DocumentInPieces {
  readonly frame: unknown;
  /**
   * The items of a list of the document, each piece parsed when its first item is asked for.
   * @throws SyntaxError when a piece is not a list of values.
   */
  itemsOf(list: readonly unknown[]): Generator<unknown, void>;
}

/**
 * @param pieces as `shapeOf` cuts the same bytes.
 * @throws SyntaxError when the bytes are not UTF-8, or are not JSON outside the pieces; a byte order mark is not JSON.
 */
export function documentInPieces(bytes: Uint8Array, pieces: readonly JsonPiece[]): DocumentInPieces {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (!isUtf8(text)) throw new SyntaxError('The document is not in UTF-8.');
  let frame = '';
  let at = 0;
  for (const [number, { start, end }] of pieces.entries()) {
    frame += text.toString('utf8', at, start) + String(number);
    at = end;
  }
  return {
    frame: JSON.parse(frame + text.toString('utf8', at)),
    *itemsOf(list) {
      for (const number of list as readonly number[]) yield* itemsOf(text, pieces[number]);
    },
  };
}

/**
 * @param pieces as `shapeOf` cuts the same bytes.
 * @throws SyntaxError when the bytes are not JSON in UTF-8; a byte order mark is not JSON.
 */
export function parseInPieces(bytes: Uint8Array, pieces: readonly JsonPiece[]): unknown {
  const { frame, itemsOf: itemsIn } = documentInPieces(bytes, pieces);
  if (typeof frame !== 'object' || frame === null) return frame;
  for (const list of Object.values(frame) as unknown[]) {
    if (!Array.isArray(list)) continue;
    for (const item of itemsIn(list.splice(0))) list.push(item);
  }
  return frame;
}

function itemsOf(text: Buffer, piece: JsonPiece | undefined): readonly unknown[] {
  if (piece === undefined) throw new TypeError('the pieces belong to other bytes');
  const { start, end } = piece;
  const items = JSON.parse(`[${text.toString('utf8', start, end)}]`) as unknown[];
  const isWholeList = text[start - 1] === OPEN_BRACKET && text[end] === CLOSE_BRACKET;
  if (items.length === 0 && !isWholeList) throw new SyntaxError('No item follows a comma.');
  return items;
}
