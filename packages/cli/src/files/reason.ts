/** The system's reason for a failed file operation, in words: `its permissions do not allow it`. */
const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'it already exists',
  ENOENT: 'the file does not exist',
  ENOTDIR: 'the folder does not exist',
  EISDIR: 'it is a folder',
  EACCES: 'its permissions do not allow it',
  EPERM: 'its permissions do not allow it',
  EROFS: 'the disk is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk is full',
  ENAMETOOLONG: 'its name is too long',
};

/** The reason, to be written after a colon in a sentence. */
export function reasonOf(error: unknown): string {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return reasons[code ?? ''] ?? `system error ${code ?? 'unknown'}`;
}
