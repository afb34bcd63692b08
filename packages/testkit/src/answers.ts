/** Time as the service itself has it: a second of a quiet machine is as many of its answers on a busy one. */
import type { Actors } from './actors.ts';

/** What the service answers in a second at most, one after the other. */
export const ANSWERS_IN_A_SECOND = 1000;

/** How many short answers the service gives until something holds; no more than in a second. */
export async function answersUntil(
  { anonymous }: Pick<Actors, 'anonymous'>,
  holds: () => boolean,
): Promise<number> {
  let count = 0;
  for (; !holds() && count < ANSWERS_IN_A_SECOND; count += 1)
    await (await anonymous.fetch('/api/v1/health')).arrayBuffer();
  return count;
}
