/** How far the heaps of the process may grow between two collections. */
import { setFlagsFromString } from 'node:v8';

/** Of what was in use after the last collection. V8's own choice is smaller where buffers come and go. */
const GROWTH_PERCENT = 150;

let isSet = false;

/**
 * From the first call on, all heaps of the process are collected less often. V8 counts the buffers of bodies against
 * the limit of the heap that refers to them. That heap holds 10 to 20 MB of code and caches, which would be marked again
 * after a few hundred small bodies, or one large one.
 */
export function collectLessOften(): void {
  if (isSet) return;
  isSet = true;
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
