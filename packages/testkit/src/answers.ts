/** What answers tell: how they differ, and time as the service itself has it. */
import type { Actors } from './actors.ts';

/** What the service answers in a second at most, one after the other, however busy the machine is. */
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

/** All that an answer is, but for what differs between any two. */
export async function wholeAnswer(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  const text = (await answer.text()).replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":""');
  return JSON.stringify([answer.status, headers, text]);
}
