/** The parts of a run that many results refer to by index, with their texts bounded once for all of them. */
import { bounded, items, type Fields } from './parts.ts';

/** A finding keeps less of such a text, and no path may be this long. */
const TEXT_LENGTH_MAX = 8000;

export interface SharedParts {
  readonly run: Fields;
  /** The number of texts that were cut. */
  readonly shortened: number;
}

export function withShortParts(run: Fields): SharedParts {
  let shortened = 0;
  const { artifacts, logicalLocations, threadFlowLocations } = run;
  return {
    run: {
      ...run,
      artifacts: short(artifacts),
      logicalLocations: short(logicalLocations),
      threadFlowLocations: short(threadFlowLocations),
    },
    shortened,
  };

  function short(list: unknown): unknown {
    return items(list).map(shortTexts);
  }

  /** Values of a log are nested at most a hundred levels deep. */
  function shortTexts(value: unknown): unknown {
    if (typeof value === 'string') return shortText(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(shortTexts);
    return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, shortTexts(part)]));
  }

  function shortText(given: string): string {
    if (given.length <= TEXT_LENGTH_MAX) return given;
    shortened += 1;
    return bounded(given, TEXT_LENGTH_MAX);
  }
}
