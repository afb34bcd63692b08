/** What an import left out or changed, as sentences. */
import { limits } from '@svc/contract';

export type Counted =
  | 'unconcerning'
  | 'absent'
  | 'repeated'
  | 'unreadable'
  | 'suppressed'
  | 'outside'
  | 'adjusted';

const sentences: Readonly<Record<Counted, (results: string) => string>> = {
  unreadable: (results) => `${results} left out: not an object, or longer than 8 MiB.`,
  unconcerning: (results) => `${results} left out: passed, not applicable or only informational.`,
  absent: (results) => `${results} left out: marked as absent in the log.`,
  repeated: (results) => `${results} left out: identical to an earlier one.`,
  suppressed: (results) => `${results} set to accepted risk: suppressed in the log.`,
  outside: (results) => `${results} outside the repository: run the scanner in the repository.`,
  adjusted: (results) =>
    `${results} lowered in severity: unverified results are at most high, and hints such as a missing header at most medium.`,
};

export class Tally {
  readonly #notes: string[] = [];
  readonly #counts = new Map<Counted, number>();

  note(sentence: string): void {
    if (!this.#notes.includes(sentence) && this.#notes.length < limits.issuesMax) this.#notes.push(sentence);
  }

  count(what: Counted, by = 1): void {
    this.#counts.set(what, (this.#counts.get(what) ?? 0) + by);
  }

  warnings(): string[] {
    const counted = (Object.keys(sentences) as Counted[]).flatMap((what) => {
      const count = this.#counts.get(what) ?? 0;
      return count === 0 ? [] : [sentences[what](count === 1 ? '1 result' : `${count} results`)];
    });
    return [...this.#notes, ...counted];
  }
}
