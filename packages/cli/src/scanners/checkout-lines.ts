/**
 * The lines of the files of a checkout, for identifying imported results. They are compared and hashed on this machine only.
 */
import path from 'node:path';
import type { Lines } from '@svc/report';
import { readScannedSync } from '../files/read-bounded.ts';
import { realPathSync } from '../files/paths.ts';

/** The limit for one file; nobody wrote a larger one by hand. */
const FILE_BYTES_MAX = 4 * 1024 * 1024;
/** The limit for all cached files together. */
const HELD_BYTES_MAX = 32 * 1024 * 1024;

export type LinesOf = (file: string) => Lines | undefined;

/**
 * A file outside of the root, a link, an unreadable file and a large file have no lines.
 * @param root absolute, with symbolic links resolved.
 */
export function checkoutLines(root: string): LinesOf {
  const held = new Map<string, { readonly lines: Lines | undefined; readonly bytes: number }>();
  let heldBytes = 0;
  return (file) => {
    const known = held.get(file);
    if (known !== undefined) return known.lines;
    const text = textOf(root, file);
    const read = { lines: text === undefined ? undefined : new TextLines(text), bytes: text?.length ?? 0 };
    held.set(file, read);
    heldBytes += read.bytes;
    for (const [oldest, { bytes }] of held) {
      if (heldBytes <= HELD_BYTES_MAX || oldest === file) break;
      held.delete(oldest);
      heldBytes -= bytes;
    }
    return read.lines;
  };
}

/** Few of a file's lines are needed, so each is cut from the text when it is asked for. */
class TextLines implements Lines {
  readonly #text: string;
  readonly #starts = [0];

  constructor(text: string) {
    this.#text = text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text;
    for (let end = this.#text.indexOf('\n'); end >= 0; end = this.#text.indexOf('\n', end + 1))
      this.#starts.push(end + 1);
  }

  at(index: number): string | undefined {
    const start = this.#starts[index];
    const next = this.#starts[index + 1];
    return start === undefined ? undefined : this.#text.slice(start, next && next - 1);
  }
}

function textOf(root: string, file: string): string | undefined {
  const place = path.resolve(root, file);
  try {
    if (!place.startsWith(root + path.sep) || realPathSync(place) !== place) return undefined;
    const bytes = readScannedSync(place, FILE_BYTES_MAX);
    return bytes === 'too_large' ? undefined : bytes.toString();
  } catch {
    return undefined;
  }
}
