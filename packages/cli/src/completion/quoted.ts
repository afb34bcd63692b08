/** A text quoted as one word of a POSIX shell, and of zsh. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
