/** How far the heaps of the process may grow between two collections. */
import { setFlagsFromString } from 'node:v8';

/** Of what was in use after the last collection. V8's own choice is smaller where large buffers come and go. */
const GROWTH_PERCENT = 150;

/**
 * From now on, all heaps of the process are collected less often. V8 counts the buffer of a large body against the limit
 * of a heap that holds a few MB, and would mark that heap again for each body.
 */
export function collectLessOften(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
