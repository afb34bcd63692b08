/** Texts within their bounds, and objects without what is unset. */

/** At most so many characters (code points); an ellipsis stands for what is gone. */
export function cut(text: string, lengthMax: number): string {
  const formed = text.toWellFormed();
  if (formed.length <= lengthMax) return formed;
  const characters = [...formed];
  return characters.length <= lengthMax ? formed : `${characters.slice(0, lengthMax - 1).join('')}…`;
}

/** The same for what differs at its end, such as paths. */
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

/** A copy in which what is undefined is absent: JSON and closed schemas know no other kind of nothing. */
export function definedOnly<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as Defined<Fields>;
}
