/**
 * Distinguishes passwords from the placeholders of documentation and templates: variables of templates and shells,
 * masks, and words that say "a password goes here".
 */

/**
 * Interpolation of templates and shells anywhere in the text: `${name}`, `{{ name }}`, `{name}`, `$(name)`, `<name>`.
 */
const INTERPOLATION = /\{[^{}]{0,60}\}|\$\([^()]{1,60}\)|<[^<>]{1,60}>/;
/** The text as a whole: `$NAME`, `$name`, `%NAME%`, `%s`, `%(name)s`, `:name`, `@name@`, `__NAME__`, `[name]`. */
const VARIABLE =
  /^(?:\$\{?(?:[A-Z_][A-Z0-9_]{0,60}|[a-z_]{1,60}|\d{1,2})|%[A-Za-z_]{1,60}%?|%\([A-Za-z_]{1,60}\)[sdr]|:[a-z_]{1,60}|@[A-Za-z_]{1,60}@|__\w{1,60}__|\[[A-Za-z][^[\]]{0,60}\])$/;
/** A mask: one repeated character, or a sign that something is omitted. */
const MASK = /^(.)\1*$|^[*xX.•…#_-]+$|\.\.\.|…|\*{3}|x{4}|X{4}/u;

/** Words of placeholders. A text of only these is not a password. */
const words = new Set(
  (
    'a an the my your our their some any this that here goes is in with for of and or to from be use put enter insert type ' +
    'set replace replaceme change changeme changeit me it fill add new old real actual valid long very strong secure super ' +
    'db database app api app my test tests testing example examples sample demo dummy fake mock foo bar baz qux foobar ' +
    'default placeholder value string text token key keys secret secrets password passwords passwd passphrase pass word ' +
    'pwd pw psw user users username usr name login account host hostname localhost auth credential credentials creds ' +
    'redacted removed hidden masked omitted censored private none null undefined nil empty blank todo tbd ' +
    'root admin administrator guest postgres mysql mongo mongodb rabbitmq redis'
  ).split(' '),
);
const WORD_LENGTH_MAX = Math.max(...[...words].map(({ length }) => length));
const PLACEHOLDER_LENGTH_MAX = 64;

export function isPasswordPlaceholder(text: string): boolean {
  return INTERPOLATION.test(text) || VARIABLE.test(text) || MASK.test(text) || isMadeOfWords(text);
}

function isMadeOfWords(text: string): boolean {
  if (text.length > PLACEHOLDER_LENGTH_MAX) return false;
  const letters = text.toLowerCase().replaceAll(/[-_.+ ]|%20/g, '');
  if (letters === '') return true;
  /** Positions up to which the text consists of words only. */
  const ends = new Set([0]);
  for (let end = 1; end <= letters.length; end += 1) {
    for (let start = Math.max(0, end - WORD_LENGTH_MAX); start < end; start += 1) {
      if (ends.has(start) && words.has(letters.slice(start, end))) {
        ends.add(end);
        break;
      }
    }
  }
  return ends.has(letters.length);
}
