/** How a rule was configured for a run: the default in its descriptor, and the overrides of an invocation. */
import { bounded, fields, listed, natural, text, type Fields } from './parts.ts';

export interface Configuration {
  readonly level?: string;
  /** The rank, from 0 to 100. */
  readonly rank?: number;
  readonly isEnabled?: boolean;
}

/** Finds the descriptor that an override names. */
export type DescriptorFinder = (reference: Fields) => Fields | undefined;

interface Overrides {
  readonly byDescriptor: ReadonlyMap<Fields, Configuration>;
  readonly byId: ReadonlyMap<string, Configuration>;
}

export class Configurations {
  /** The overrides of each invocation. */
  readonly #overrides: readonly Overrides[];
  readonly #ofAll: Overrides;

  constructor(invocations: unknown, descriptorOf: DescriptorFinder) {
    const lists = listed(invocations).map((invocation) =>
      listed(fields(invocation)['ruleConfigurationOverrides']).map(fields),
    );
    this.#overrides = lists.map((list) => overridesIn(list, descriptorOf));
    this.#ofAll = overridesIn(lists.flat(), descriptorOf);
  }

  /**
   * The configuration from the invocation that found the result if the log names it, otherwise from all of them; the
   * last one wins.
   */
  of(result: Fields, id: string, descriptor: Fields): Configuration {
    const index = natural(fields(result['provenance'])['invocationIndex']);
    const { byDescriptor, byId } = (index === undefined ? undefined : this.#overrides[index]) ?? this.#ofAll;
    const override = byDescriptor.get(descriptor) ?? byId.get(id);
    return { ...configurationOf(descriptor['defaultConfiguration']), ...override };
  }
}

function overridesIn(list: readonly Fields[], descriptorOf: DescriptorFinder): Overrides {
  const byDescriptor = new Map<Fields, Configuration>();
  const byId = new Map<string, Configuration>();
  for (const { descriptor, configuration } of list) {
    const reference = fields(descriptor);
    const found = descriptorOf(reference);
    const id = text(reference['id']);
    const override = configurationOf(configuration);
    if (found !== undefined) byDescriptor.set(found, override);
    else if (id !== undefined) byId.set(id, override);
  }
  return { byDescriptor, byId };
}

/** A log may call anything a level. */
const LEVEL_LENGTH_MAX = 100;

function configurationOf(value: unknown): Configuration {
  const { level, rank, enabled } = fields(value);
  const stated = text(level);
  return {
    ...(stated !== undefined && { level: bounded(stated, LEVEL_LENGTH_MAX) }),
    ...(isRank(rank) && { rank }),
    ...(typeof enabled === 'boolean' && { isEnabled: enabled }),
  };
}

/** In a log, -1 stands for no rank. */
export function isRank(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= 100;
}
