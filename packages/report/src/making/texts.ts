/** Texts within their limits, and objects without undefined fields. */

/** Cuts a text to at most this many characters (code points); an ellipsis replaces the rest. */
export function cut(text: string, lengthMax: number): string {
  const formed = text.toWellFormed();
  if (formed.length <= lengthMax) return formed;
  const characters = [...formed];
  return characters.length <= lengthMax ? formed : `${characters.slice(0, lengthMax - 1).join('')}…`;
}

/** Like `cut`, but cuts the beginning: for texts that differ at their end, such as paths. */
export function cutAtFront(text: string, lengthMax: number): string {
  const characters = [...text.toWellFormed()];
  return characters.length <= lengthMax
    ? characters.join('')
    : `…${characters.slice(characters.length - lengthMax + 1).join('')}`;
}

type Defined<Fields> = {
  [Name in keyof Fields as undefined extends Fields[Name] ? never : Name]: Fields[Name];
} & {
  [Name in keyof Fields as undefined extends Fields[Name] ? Name : never]?: Exclude<Fields[Name], undefined>;
};

/** A copy without undefined fields, as JSON and closed schemas require. */
export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
