import { expect, test } from 'vitest';
import { contrastPairs, tokens, type TokenName } from './tokens.ts';

const themes = ['light', 'dark'] as const;

/** The relative luminance of a `#rrggbb` colour, as WCAG 2 defines it. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

test.each(themes)('every pair of colours has sufficient contrast in the %s theme', (theme) => {
  const faint = contrastPairs.filter(
    ([front, back, contrastMin]) => contrast(tokens[front][theme], tokens[back][theme]) < contrastMin,
  );
  expect(faint).toEqual([]);
});

test.each(themes)(
  'the hover colour differs from every background in the %s theme',
  (theme) => {
    for (const back of ['page', 'surface', 'float'] as const)
      expect([back, tokens.hover[theme]]).not.toEqual([back, tokens[back][theme]]);
  },
);

test('every colour is a valid value, and severities have distinct colours', () => {
  const colours = Object.values(tokens).flatMap(({ light, dark }) => [light, dark]);
  expect(colours.filter((colour) => !/^#[0-9a-f]{6}$/.test(colour))).toEqual([]);
  const severities: TokenName[] = ['critical', 'high', 'medium', 'low', 'info'];
  for (const theme of themes) expect(new Set(severities.map((name) => tokens[name][theme])).size).toBe(5);
});
