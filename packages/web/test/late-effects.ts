/**
 * A script for a page: effects run late, as on a busy machine. Otherwise they run after a frame, or after a short timeout
 * if no frame is drawn.
 */
export const lateEffects = `const { setTimeout: begin } = window;
window.requestAnimationFrame = (run) => begin(run, 2000);
window.setTimeout = (run, delay, ...rest) => begin(run, delay > 0 && delay < 100 ? 2000 : delay, ...rest);`;

/** A script for a page: timers without a delay run late, as while a browser has input to handle. */
export const lateTimers = `const { setTimeout: begin } = window;
window.setTimeout = (run, delay, ...rest) => begin(run, delay > 0 ? delay : 2000, ...rest);`;
