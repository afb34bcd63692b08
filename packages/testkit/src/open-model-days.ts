/** What happened on each day of a plain model, for trends. */
import { severities, type Severity, type SeverityCounts } from '@svc/contract';

export interface ModelDay {
  readonly open: SeverityCounts;
  readonly opened: number;
  readonly fixed: number;
  readonly setAside: number;
}

export interface ModelFix {
  readonly name: string;
  readonly severity: Severity;
  readonly tookMs: number;
  readonly at: number;
}

/** One thing that happened to a finding. */
export interface ModelEvent {
  readonly kind: 'opened' | 'fixed' | 'setAside';
  readonly name: string;
  readonly at: number;
}

const DAY_MS = 86_400_000;

export class ModelDays {
  /** What was open at the end of each day on which anything happened. */
  readonly #open = new Map<string, SeverityCounts>();
  #events: ModelEvent[] = [];
  #fixes: ModelFix[] = [];

  add(event: ModelEvent): void {
    this.#events.push(event);
  }

  fix(fix: ModelFix): void {
    this.#fixes.push(fix);
    this.add({ kind: 'fixed', name: fix.name, at: fix.at });
  }

  endAt(at: number, open: SeverityCounts): void {
    this.#open.set(dayOf(at), open);
  }

  /** The days up to a time, the oldest first. */
  upTo(now: number, count: number): (ModelDay & { readonly date: string })[] {
    return Array.from({ length: count }, (_, back) => dayOf(now - (count - 1 - back) * DAY_MS)).map(
      (date) => {
        const last = [...this.#open.keys()]
          .filter((day) => day <= date)
          .toSorted()
          .at(-1);
        const on = this.#events.filter(({ at }) => dayOf(at) === date);
        const countOf = (kind: ModelEvent['kind']) => on.filter((event) => event.kind === kind).length;
        return {
          date,
          open: this.#open.get(last ?? '') ?? noneOpen(),
          opened: countOf('opened'),
          fixed: countOf('fixed'),
          setAside: countOf('setAside'),
        };
      },
    );
  }

  /** How long fixes took, in seconds, the shortest first. */
  timesToFix(): Record<Severity, number[]> {
    const timesOf = (severity: Severity) =>
      this.#fixes
        .filter((fix) => fix.severity === severity)
        .map(({ tookMs }) => tookMs / 1000)
        .toSorted((one, other) => one - other);
    return Object.fromEntries(severities.map((severity) => [severity, timesOf(severity)])) as Record<
      Severity,
      number[]
    >;
  }
}

export function noneOpen(): SeverityCounts {
  return { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
