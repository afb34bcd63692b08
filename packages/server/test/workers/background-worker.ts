/** Lowers its own priority and posts it; null on systems without thread priorities. */
import { readlinkSync } from 'node:fs';
import { getPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { lowerThreadPriority } from '#platform/thread-priority';

lowerThreadPriority();
const threadId =
  process.platform === 'linux' ? readlinkSync('/proc/thread-self').split('/').at(-1) : undefined;
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
parentPort?.postMessage(threadId === undefined ? null : getPriority(Number(threadId)));
