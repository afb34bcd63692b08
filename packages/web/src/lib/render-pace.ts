/**
 * Limits how often Preact renders within one task of the browser.
 *
 * Preact renders in microtasks, which run before anything else, effects included. A component that suspends with a
 * promise that is already resolved renders again immediately. If only an effect can tell it that its data has
 * changed, as with a store that a parent subscribes to, it would suspend forever, and the page would freeze. After
 * several renders in one task, the next one therefore waits for a new task.
 */
import { options } from 'preact';

/** More than updates that follow from each other need. */
const RENDERS_PER_TASK_MAX = 25;

/** Call it before the first render. */
export function limitRenders(): void {
  let renders = 0;
  options.debounceRendering = (render) => {
    renders += 1;
    if (renders === 1)
      setTimeout(() => {
        renders = 0;
      });
    if (renders <= RENDERS_PER_TASK_MAX) queueMicrotask(render);
    else setTimeout(render);
  };
}
