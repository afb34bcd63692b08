/** The folder or file of a partial scan. */
export interface ScannedPart {
  /** The path from the root, with forward slashes. */
  readonly path: string;
  readonly kind: 'folder' | 'file';
}

/** The area that marks a partial report. Its note also ends the notes of the areas that the part limits. */
export const PART_AREA = 'scanned-part';

/**
 * Whether a file is in the part. Without a part, every file is.
 * @param file from the root, with forward slashes
 */
export function isInPart(part: ScannedPart | undefined, file: string): boolean {
  if (part === undefined || file === part.path) return true;
  return part.kind === 'folder' && file.startsWith(`${part.path}/`);
}

/** Whether `whole` contains `part`. Undefined stands for the whole repository. */
export function holdsPart(whole: ScannedPart | undefined, part: ScannedPart | undefined): boolean {
  return whole === undefined || (part !== undefined && isInPart(whole, part.path));
}
