/**
 * When Preact renders and runs effects.
 *
 * Preact renders in microtasks, which run before anything else, effects included. A component that suspends with a
 * promise that is already resolved renders again immediately. If only an effect can tell it that its data has
 * changed, as with a store that a parent subscribes to, it would suspend forever, and the page would freeze. After
 * several renders in one task, the next one therefore waits for a new task.
 *
 * Preact runs effects after the next frame, which may be late on a busy machine. Libraries that were written for React
 * expect that the effects of one input have run before the next input arrives. Input therefore runs them first. It is also
 * a new task for renders: browsers handle many inputs before the first timer, and each of them needs the page as the last
 * one left it.
 */
import { options } from 'preact';

/** More than updates that follow from each other need. */
const RENDERS_PER_TASK_MAX = 25;

/** Without a frame in this time, as in a hidden tab, effects run anyway. */
const FRAME_MS_MAX = 35;

const inputs = ['keydown', 'pointerdown', 'click', 'input', 'popstate'] as const;

/** Call it before the first render. */
export function setRenderPace(): void {
  const rendering = limitRenders();
  const effects = delayEffects();
  // Scripts dispatch events too, perhaps while a component renders. Only input of a person runs what waits.
  for (const type of inputs)
    addEventListener(
      type,
      ({ isTrusted }) => {
        if (!isTrusted) return;
        effects.runWaiting();
        rendering.runWaiting();
      },
      true,
    );
}

interface Waiting {
  readonly runWaiting: () => void;
}

function limitRenders(): Waiting {
  let renders = 0;
  let waiting: (() => void) | undefined;
  options.debounceRendering = (render) => {
    renders += 1;
    if (renders === 1)
      setTimeout(() => {
        renders = 0;
      });
    if (renders <= RENDERS_PER_TASK_MAX) queueMicrotask(render);
    else {
      waiting = render;
      setTimeout(runWaiting);
    }
  };
  function runWaiting(): void {
    renders = 0;
    const render = waiting;
    waiting = undefined;
    render?.();
  }
  return { runWaiting };
}

function delayEffects(): Waiting {
  let waiting: (() => void) | undefined;
  options.requestAnimationFrame = (runEffects) => {
    function run(): void {
      if (waiting === run) waiting = undefined;
      runEffects();
    }
    function afterFrame(): void {
      clearTimeout(timer);
      cancelAnimationFrame(frame);
      setTimeout(run);
    }
    const timer = setTimeout(afterFrame, FRAME_MS_MAX);
    const frame = requestAnimationFrame(afterFrame);
    waiting = run;
  };
  return { runWaiting: () => waiting?.() };
}
