/** Compares responses, and waits in units of responses instead of time. */
import type { Actors } from './actors.ts';

/** An upper bound on the number of sequential responses that the service returns in a second, on any machine. */
export const ANSWERS_IN_A_SECOND = 1000;

/** The number of short responses until a condition holds. Gives up after `ANSWERS_IN_A_SECOND`. */
export async function answersUntil(
  { anonymous }: Pick<Actors, 'anonymous'>,
  holds: () => boolean,
): Promise<number> {
  let count = 0;
  for (; !holds() && count < ANSWERS_IN_A_SECOND; count += 1)
    await (await anonymous.fetch('/api/v1/health')).arrayBuffer();
  return count;
}

/** A response without the parts that differ between any two responses. */
export async function wholeAnswer(answer: Response): Promise<string> {
  const headers = [...answer.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date');
  const text = (await answer.text()).replace(/"requestId":"[0-9a-f-]{36}"/, '"requestId":""');
  return JSON.stringify([answer.status, headers, text]);
}
