import { describe, expect, test } from 'vitest';
import { palette, type Colour } from './palette.ts';

/** Pairs of text colour and background, in either theme. */
const read: readonly (readonly [Colour, Colour])[] = [
  ['text', 'page'],
  ['quiet', 'page'],
  ['link', 'page'],
  ...(['text', 'quiet', 'keyword', 'string', 'comment', 'number'] as const).flatMap((colour) => [
    [colour, 'calm'] as const,
    [colour, 'marked'] as const,
  ]),
];
const seen: readonly Colour[] = ['critical', 'high', 'medium', 'low', 'info'];

describe.each([
  ['light', 0],
  ['dark', 1],
] as const)('on a %s page', (_name, theme) => {
  test.each(read)('text in %s on %s has a contrast of at least 4.5', (front, back) => {
    expect(contrast(palette[front][theme], palette[back][theme])).toBeGreaterThanOrEqual(4.5);
  });

  test.each(seen)('the sign of %s has a contrast of at least 3', (colour) => {
    expect(contrast(palette[colour][theme], palette.page[theme])).toBeGreaterThanOrEqual(3);
  });
});

test('black on white has a contrast of 21', () => {
  expect(contrast('#000000', '#ffffff')).toBeCloseTo(21);
});

/** The contrast ratio as WCAG 2.2 defines it. */
function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((start) => {
    const part = Number.parseInt(colour.slice(start, start + 2), 16) / 255;
    return part <= 0.040_45 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
