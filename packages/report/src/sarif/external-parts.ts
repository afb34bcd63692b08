/**
 * Parts of a run that its log keeps outside of it. Those in the same log (`inlineExternalProperties`) are joined to
 * their run. Those in other files cannot be read, and the run names them as missing. Each object of parts belongs to
 * one run, so that no log makes the import read the same results many times.
 */
import type { LogRun, SarifLog } from './document.ts';
import { fields, items, listed, objectIn, text, type Fields } from './parts.ts';

/** Lists of a run that the import reads, besides its results and those of its tool. */
const lists = ['invocations', 'artifacts', 'logicalLocations', 'taxonomies', 'threadFlowLocations'] as const;
const parts = ['results', ...lists, 'extensions', 'driver', 'conversion'] as const;
type Part = (typeof parts)[number];

/**
 * Published lists of weaknesses, to which scanners refer on the web. Without one, no result is missing or less severe.
 */
const NAMES_ONLY: Part = 'taxonomies';

export interface WholeRun extends LogRun {
  /** The names of its parts in other files, which are not read. */
  readonly missing: readonly Part[];
}

export function withExternalParts({ runs, externalParts }: SarifLog): WholeRun[] {
  const stock = new Stock(externalParts, runs.length === 1);
  const joined = runs.map((run) => {
    const { taken, missing } = stock.takeFor(run.fields);
    return { ...joinedRun(run, taken), missing };
  });
  if (!stock.hasParts) return joined;
  // It is unknown which run the remaining parts belong to, so every run may lack some.
  return joined.map((run) => ({ ...run, missing: [...new Set<Part>([...run.missing, 'results'])] }));
}

/** The objects of parts in a log; each can be taken once. */
class Stock {
  readonly #left: Set<Fields>;
  readonly #byGuid = new Map<string, Fields>();
  readonly #byRun = new Map<string, Fields[]>();
  readonly #isForOneRun: boolean;

  constructor(given: unknown, isForOneRun: boolean) {
    this.#left = new Set(listed(given).map(fields));
    this.#isForOneRun = isForOneRun;
    for (const one of this.#left) {
      const [guid, runGuid] = [text(one['guid']), text(one['runGuid'])];
      if (guid !== undefined && !this.#byGuid.has(guid)) this.#byGuid.set(guid, one);
      if (runGuid === undefined) continue;
      const ofRun = this.#byRun.get(runGuid);
      if (ofRun === undefined) this.#byRun.set(runGuid, [one]);
      else ofRun.push(one);
    }
  }

  /** Whether there are parts that no run has taken. */
  get hasParts(): boolean {
    return [...this.#left].some((given) => parts.some((part) => part in given));
  }

  takeFor(run: Fields): { readonly taken: readonly Fields[]; readonly missing: readonly Part[] } {
    const taken = new Set<Fields>();
    const missing = new Set<Part>();
    const references = fields(run['externalPropertyFileReferences']);
    for (const part of parts) {
      for (const reference of referencesIn(references[part])) {
        const found = this.#byGuid.get(text(fields(reference)['guid']) ?? '');
        if (found !== undefined && this.#left.delete(found)) taken.add(found);
        const isRead = found !== undefined && taken.has(found) && part in found;
        if (!isRead && part !== NAMES_ONLY) missing.add(part);
      }
    }
    const guid = text(fields(run['automationDetails'])['guid']) ?? '';
    for (const other of this.#isForOneRun ? this.#left : (this.#byRun.get(guid) ?? []))
      if (this.#left.delete(other)) taken.add(other);
    return { taken: [...taken], missing: [...missing] };
  }
}

function referencesIn(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function joinedRun(run: LogRun, taken: readonly Fields[]): LogRun {
  if (taken.length === 0) return run;
  const more = (part: Part) => taken.flatMap((given) => listed(given[part]));
  const conversion = taken.find((given) => 'conversion' in given)?.['conversion'];
  return {
    ...run,
    fields: {
      ...(conversion !== undefined && { conversion }),
      ...run.fields,
      ...Object.fromEntries(
        lists.flatMap((part) => {
          const added = more(part);
          return added.length === 0 ? [] : [[part, [...listed(run.fields[part]), ...added]]];
        }),
      ),
      tool: joinedTool(fields(run.fields['tool']), more('driver').map(fields), more('extensions')),
    },
    results: joinedResults(run.results, taken),
  };
}

/** What the run itself states about the driver takes precedence. */
function joinedTool(tool: Fields, drivers: readonly Fields[], extensions: readonly unknown[]): Fields {
  const isStated = ([, value]: [string, unknown]) => !Array.isArray(value) || value.length > 0;
  const stated = Object.fromEntries(Object.entries(fields(tool['driver'])).filter(isStated));
  return {
    ...tool,
    driver: Object.assign({}, ...drivers.toReversed(), stated) as Fields,
    extensions: [...items(tool['extensions']), ...extensions],
  };
}

function joinedResults(own: LogRun['results'], taken: readonly Fields[]): LogRun['results'] {
  const added = taken
    .filter((given) => Array.isArray(given['results']))
    .map((given) => items(given['results']));
  if (added.length === 0) return own;
  const more = added.flat();
  const first = own?.length ?? 0;
  return {
    length: first + more.length,
    at: (index) => (index < first ? own?.at(index) : objectIn(more[index - first])),
  };
}
