/** The real counters of rate limits, which fail on command. */
import { UnavailableError, type Counters } from '@svc/server/ports';

export interface FailingCounters {
  wrap(counters: Counters): Counters;
  /** From now on each call fails; by default as if the store were gone. */
  fail(error?: Error): void;
  recover(): void;
}

export function createFailingCounters(): FailingCounters {
  let failure: Error | null = null;
  const unless =
    <Given extends unknown[], Result>(call: (...given: Given) => Promise<Result>) =>
    async (...given: Given) => {
      if (failure) throw failure;
      return call(...given);
    };
  return {
    wrap: ({ take, peek, giveBack, confirm, takeSliding, check, sweep }) => ({
      take: unless(take),
      peek: unless(peek),
      giveBack: unless(giveBack),
      confirm: unless(confirm),
      takeSliding: unless(takeSliding),
      check: unless(check),
      sweep: unless(sweep),
    }),
    fail: (error = new UnavailableError('the counters are gone')) => (failure = error),
    recover: () => (failure = null),
  };
}
