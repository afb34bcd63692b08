/**
 * The built-in search for secrets in the text files of the repository, except large ones and installed packages. It
 * uses the formats and the code that the service uses for uploads (decision 0011), so both agree. Its time is linear in
 * the bytes, whatever they contain. It keeps a few files at a time in memory, and starts no other program.
 */
import { limits } from '@svc/contract';
import type { Arrival } from '@svc/report';
import { isBinaryFileSync } from 'isbinaryfile';
import { readScanned } from '../files/read-bounded.ts';
import { stepsOf, type OnScanEvent } from './events.ts';
import type { RepositoryFile } from './inventory.ts';
import { isVendored } from './list-files.ts';
import { placeOf } from './listed-file.ts';
import { secretFindings } from './secret-findings.ts';

export const FILE_BYTES_MAX = 1024 * 1024;
/** The number of files that are read, and so held in memory, at the same time. */
const AT_ONCE = 16;

export interface SecretCheck {
  readonly findings: readonly Arrival[];
  readonly searched: number;
  readonly binary: number;
  readonly vendored: number;
  readonly tooLarge: number;
  readonly unreadable: number;
  /** There may be more findings than the limit. */
  readonly isFull: boolean;
}

export interface SecretCheckOptions {
  /** Absolute, with symbolic links resolved. */
  readonly root: string;
  readonly files: readonly RepositoryFile[];
  /** The key for the HMAC over each secret. */
  readonly key: Uint8Array;
  readonly signal: AbortSignal;
  readonly onEvent: OnScanEvent;
}

export async function checkSecrets(options: SecretCheckOptions): Promise<SecretCheck> {
  const { root, files, key, signal } = options;
  const findings: Arrival[] = [];
  const counts = { searched: 0, binary: 0, vendored: 0, tooLarge: 0, unreadable: 0 };
  const step = stepsOf('secret_review', files.length, options.onEvent);
  for (let from = 0; from < files.length && findings.length < limits.report.findingsMax; from += AT_ONCE) {
    signal.throwIfAborted();
    const some = files.slice(from, from + AT_ONCE);
    const contents = await Promise.all(some.map((file) => contentOf(root, file)));
    for (const [index, { path: name }] of some.entries()) {
      const content = contents[index] ?? 'unreadable';
      if (typeof content === 'string') counts[content] += 1;
      else {
        counts.searched += 1;
        for (const finding of secretFindings(name, content.text, key)) findings.push(finding);
      }
      step(from + index + 1);
    }
  }
  const { findingsMax } = limits.report;
  return { findings: findings.slice(0, findingsMax), ...counts, isFull: findings.length >= findingsMax };
}

async function contentOf(
  root: string,
  file: RepositoryFile,
): Promise<{ readonly text: string } | 'binary' | 'vendored' | 'tooLarge' | 'unreadable'> {
  if (isVendored(file.path)) return 'vendored';
  if (file.sizeBytes > FILE_BYTES_MAX) return 'tooLarge';
  try {
    const bytes = await readScanned(placeOf(root, file), FILE_BYTES_MAX);
    if (bytes === 'too_large') return 'tooLarge';
    return isBinaryFileSync(bytes, { size: bytes.length }) ? 'binary' : { text: decoded(bytes) };
  } catch {
    return 'unreadable';
  }
}

/** UTF-8, or UTF-16 with a byte-order mark; invalid bytes affect single characters only. */
function decoded(bytes: Buffer): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  return bytes.toString();
}
