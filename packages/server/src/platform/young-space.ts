/**
 * Bounds the memory in which V8 puts new objects.
 *
 * V8 doubles it whenever about as many objects stay in use as it holds, up to 128 MB, and keeps it. So after thousands of streams
 * were opened it took more memory than the streams. V8 reads its own limit for the main thread only when a process
 * starts, and the service does not choose how it is started.
 */
import { PerformanceObserver } from 'node:perf_hooks';
import { getHeapSpaceStatistics, setFlagsFromString } from 'node:v8';

const MIB = 1024 * 1024;
const SIZE_MAX = 32 * MIB;
/** V8's default. */
const GROWTH_FACTOR = 2;
/** A worker starts with this much, or with its limit. The main thread may forbid growth when a worker needs it. */
const WORKER_HALF_MIB = 16;

/**
 * Until `letYoungSpaceGrow` is called, the main thread keeps the small space that it begins with. What the start needs is
 * mostly kept, so a larger space would only be one that an idle service holds.
 *
 * To be called in the main thread, before the code of the service is loaded.
 */
export function keepYoungSpaceSmall(): void {
  loadBuiltInModules();
  setFlagsFromString(`--min-semi-space-size=${WORKER_HALF_MIB}`);
  setMayGrow(false);
}

/**
 * Loads the built-in modules that the service uses. While growth is forbidden, V8 would reject the compiled code that Node
 * has for them.
 */
function loadBuiltInModules(): void {
  process.getBuiltinModule('node:assert');
  process.getBuiltinModule('node:cluster');
  process.getBuiltinModule('node:crypto');
  process.getBuiltinModule('node:dns');
  process.getBuiltinModule('node:fs/promises');
  process.getBuiltinModule('node:http');
  process.getBuiltinModule('node:sqlite');
  process.getBuiltinModule('node:timers/promises');
  process.getBuiltinModule('node:util');
  process.getBuiltinModule('node:worker_threads');
  process.getBuiltinModule('node:zlib');
}

/** From now on, the space grows up to the limit. */
export function letYoungSpaceGrow(): void {
  let mayGrow = true;
  setMayGrow(mayGrow);
  const observer = new PerformanceObserver(() => {
    const size =
      getHeapSpaceStatistics().find(({ space_name: name }) => name === 'new_space')?.space_size ?? 0;
    if (mayGrow === size < SIZE_MAX) return;
    mayGrow = !mayGrow;
    setMayGrow(mayGrow);
  });
  // Collections are the only occasions on which it grows.
  observer.observe({ entryTypes: ['gc'] });
}

function setMayGrow(mayGrow: boolean): void {
  setFlagsFromString(`--semi-space-growth-factor=${mayGrow ? GROWTH_FACTOR : 1}`);
}
