import fc from 'fast-check';
import { expect, test } from 'vitest';
import { FileIndex } from './file-index.ts';

const segment = fc.constantFrom('a', 'b', 'A', 'src', 'a.ts', 'B.ts', 'b.ts');
const path = fc.array(segment, { minLength: 1, maxLength: 5 }).map((segments) => segments.join('/'));

/** Finds the same file by searching every file. */
function slowMatch(files: readonly string[], given: string, ignoresCase: boolean) {
  const fold = (text: string) => (ignoresCase ? text.toLowerCase() : text);
  const segments = fold(given).split('/');
  for (let length = segments.length; length > 0; length -= 1) {
    const end = segments.slice(-length).join('/');
    const found = files.filter((file) => `/${fold(file)}`.endsWith(`/${end}`));
    if (found.length === 1) return { length, file: found[0] };
    if (found.length > 1) return { length };
  }
  return undefined;
}

test('the index finds the same files as a search of every file, whether or not case is ignored', () => {
  fc.assert(
    fc.property(fc.uniqueArray(path), path, fc.boolean(), (files, given, ignoresCase) => {
      const index = new FileIndex(files);
      expect(index.match(given.split('/'), ignoresCase)).toEqual(slowMatch(files, given, ignoresCase));
      const same = files.filter((file) => file.toLowerCase() === given.toLowerCase());
      const folded = same.length === 1 ? same[0] : undefined;
      const exact = files.includes(given) ? given : undefined;
      expect(index.find(given, ignoresCase)).toBe(exact ?? (ignoresCase ? folded : undefined));
    }),
  );
});

test('only whole segments match', () => {
  const index = new FileIndex(['src/data.ts', 'lib/a.ts']);
  expect(index.match(['x', 'a.ts'])).toEqual({ length: 1, file: 'lib/a.ts' });
  expect(index.match(['src', 'ta.ts'])).toBeUndefined();
});

test('names are compared in composed Unicode', () => {
  const decomposed = 'src/cafe\u0301.ts';
  expect(new FileIndex([decomposed]).find('src/caf\u00e9.ts')).toBe('src/caf\u00e9.ts');
});

test('an unlisted file on disk is found by its whole path', () => {
  const index = new FileIndex(['src/a.ts'], { isOnDisk: (file) => file === 'dist/src/a.ts' });
  expect(index.find('dist/src/a.ts')).toBe('dist/src/a.ts');
  expect(index.find('dist/src/b.ts')).toBeUndefined();
});
