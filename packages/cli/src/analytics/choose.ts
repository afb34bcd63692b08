/** `svc analytics on`, `off` and `status`. */
import type { Invocation, Run } from '../command.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { choiceOf, choose, type AnalyticsChoice } from './choice.ts';
import { removeAll, waiting } from './spool.ts';
import { spoolFolder } from './usage.ts';

export const turnOn: Run = async (invocation, terminal) => {
  await choose(invocation.environment, true);
  const choice = await choiceOf(invocation.environment);
  terminal.result(shown(choice), () => [sentence(choice, terminal)]);
};

export const turnOff: Run = async (invocation, terminal) => {
  await choose(invocation.environment, false);
  await removeAll(spoolFolder(invocation.environment));
  const choice = await choiceOf(invocation.environment);
  terminal.result(shown(choice), () => [sentence(choice, terminal)]);
};

export const status: Run = async ({ environment }: Invocation, terminal) => {
  const choice = await choiceOf(environment);
  const found = choice.isOn ? await waiting(spoolFolder(environment)) : [];
  const events = found.map(({ origin, event }) => ({ service: origin, event }));
  terminal.result({ ...shown(choice), waiting: events }, () => [
    sentence(choice, terminal),
    ...(events.length === 0 ? ['No events are pending.'] : ['Pending events:']),
    ...events.map((one) => JSON.stringify(one)),
  ]);
};

function shown({ isOn, because }: AnalyticsChoice) {
  return { on: isOn, because };
}

function sentence({ isOn, because }: AnalyticsChoice, { colours }: Terminal): string {
  const { green, dim } = colours;
  if (isOn) return `${green('✓')} Usage is counted. ${dim('svc analytics off')}`;
  const why = because === 'chosen' ? '' : ` It is turned off by ${because}.`;
  return `${green('✓')} Usage is not counted.${why}`;
}
