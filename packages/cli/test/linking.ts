/** Links a machine as people do: `svc login` waits while a person decides in a browser. */
import type { SessionActor } from '@svc/testkit/actors';
import { bodyOf } from '@svc/testkit/outcomes';
import type { RunningCommand, CommandResult, Machine } from './svc.ts';

export interface Linking extends RunningCommand {
  /** The id of the device link, as in its address. */
  readonly id: string;
  /** Lets the waiting command poll for the decision. It does not poll before that, however slow the machine is. */
  readonly decided: () => Promise<CommandResult>;
}

export async function beginLogin(
  machine: Machine,
  words: readonly string[] = ['--no-browser'],
  environment: Readonly<Record<string, string>> = {},
): Promise<Linking> {
  const decision = Promise.withResolvers<void>();
  const { clock } = machine;
  machine.clock = { ...clock, wait: (ms, signal) => decision.promise.then(() => clock.wait(ms, signal)) };
  const begun = machine.begin(['login', ...words], environment);
  machine.clock = clock;
  return {
    ...begun,
    id: await begun.sees(/\/link\/([0-9A-Za-z]{32})/),
    decided() {
      decision.resolve();
      return begun.ended;
    },
  };
}

/** Logs in and approves the device link as this person. */
export async function logIn(
  machine: Machine,
  by: SessionActor,
  words?: readonly string[],
  environment?: Readonly<Record<string, string>>,
): Promise<CommandResult> {
  const login = await beginLogin(machine, words, environment);
  bodyOf(await by.api.approveDeviceLink({ params: { id: login.id } }));
  return login.decided();
}
