/** Texts of any characters, for property tests. */
import fc, { type Arbitrary, type StringConstraints } from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };
const CODE_POINT_MAX = 0x10ffff;

/**
 * Any character but half a surrogate pair. fast-check's unit `binary` gives the same and more, but first makes a table of all
 * code points, which costs each process two thirds of a second and 130 MB.
 */
export const anyCharacter = fc
  .oneof(
    // Printable ASCII, to which failures shrink.
    fc.integer({ min: 0x20, max: 0x7e }),
    { arbitrary: fc.integer({ min: 0, max: CODE_POINT_MAX - SURROGATES.count }), weight: 3 },
  )
  .map((number) => String.fromCodePoint(number < SURROGATES.first ? number : number + SURROGATES.count));

/** Any text of such characters. */
export function anyText(constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> {
  return fc.string({ ...constraints, unit: anyCharacter });
}
