/** Weaknesses that a result or a rule refers to: by id, or by index in a taxonomy of the run. */
import { bounded, fields, itemAt, items, text, type Fields } from './parts.ts';

export class Taxa {
  readonly #taxonomies: readonly Fields[];
  readonly #extensions: readonly Fields[];
  readonly #driver: Fields;
  /** The first component with each GUID, and with each name. */
  readonly #byGuid: ReadonlyMap<unknown, Fields>;
  readonly #byName: ReadonlyMap<unknown, Fields>;
  /** The taxa of each component, by GUID. */
  readonly #taxa = new Map<Fields, ReadonlyMap<unknown, Fields>>();

  constructor(run: Fields) {
    const tool = fields(run['tool']);
    this.#taxonomies = items(run['taxonomies']).map(fields);
    this.#extensions = items(tool['extensions']).map(fields);
    this.#driver = fields(tool['driver']);
    const all = [...this.#taxonomies, ...this.#extensions, this.#driver];
    this.#byGuid = firstBy('guid', all);
    this.#byName = firstBy('name', all);
  }

  /** The id of a taxon; a number in a CWE taxonomy becomes an id such as `CWE-502`. Empty if there is no id. */
  idOf(reference: Fields): string {
    const named = fields(reference['toolComponent']);
    const component = this.#componentOf(named, reference);
    const given = text(reference['id']);
    const taxon = itemAt(component['taxa'], reference['index']) ?? this.#taxonOf(component, reference);
    return numbered(given ?? text(taxon?.['id']) ?? '', text(named['name']) ?? text(component['name']) ?? '');
  }

  #componentOf(named: Fields, reference: Fields): Fields {
    const [guid, name] = [text(named['guid']), text(named['name'])];
    const byName = name === undefined ? undefined : this.#byName.get(name);
    const meant = guid === undefined ? byName : this.#byGuid.get(guid);
    if (meant !== undefined) return meant;
    const listed = [this.#taxonomies, this.#extensions].map((list) => itemAt(list, named['index']));
    // An index counts within the taxonomies; some tools count within their extensions.
    return (
      listed.find((component) => itemAt(component?.['taxa'], reference['index']) !== undefined) ??
      listed.find((component) => component !== undefined) ??
      this.#driver
    );
  }

  #taxonOf(component: Fields, reference: Fields): Fields | undefined {
    const guid = text(reference['guid']);
    if (guid === undefined) return undefined;
    let taxa = this.#taxa.get(component);
    if (taxa === undefined) {
      taxa = firstBy('guid', items(component['taxa']).map(fields));
      this.#taxa.set(component, taxa);
    }
    return taxa.get(guid);
  }
}

function firstBy(key: string, list: readonly Fields[]): ReadonlyMap<unknown, Fields> {
  return new Map(list.toReversed().map((item) => [item[key], item]));
}

/** Limited, because many results can refer to one long text. */
const NAME_LENGTH_MAX = 300;

function numbered(id: string, taxonomy: string): string {
  const given = bounded(id, NAME_LENGTH_MAX);
  const isOfCwe = /^\d+$/.test(given) && /\bcwe\b/i.test(bounded(taxonomy, NAME_LENGTH_MAX));
  return isOfCwe ? `CWE-${given}` : given;
}
