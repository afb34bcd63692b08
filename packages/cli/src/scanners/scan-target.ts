/** The target of scanners: the repository, or a part of it. */
import path from 'node:path';
import type { ScannedPart } from '../report/scanned-part.ts';

export interface ScanTarget {
  /** What is scanned; absolute. */
  readonly place: string;
  /** The same path if it is a folder, else the folder of the file: for scanners that accept only folders. */
  readonly folder: string;
}

export function targetIn(root: string, part: ScannedPart | undefined): ScanTarget {
  if (part === undefined) return { place: root, folder: root };
  const place = path.join(root, part.path);
  return { place, folder: part.kind === 'folder' ? place : path.dirname(place) };
}
