/**
 * The colours of the document, each with its value on a light and on a dark page: steps of the Radix scales slate,
 * iris, crimson, orange, amber, blue, sky and grass. Severities differ by shape and text; only the shape has colour.
 */
export const palette = {
  page: ['#ffffff', '#111113'],
  /** The colour behind code. */
  calm: ['#f9f9fb', '#18191b'],
  /** The colour behind marked lines. */
  marked: ['#fff7ed', '#331e0b'],
  hairline: ['#d9d9e0', '#363a3f'],
  text: ['#1c2024', '#edeef0'],
  quiet: ['#60646c', '#b0b4ba'],
  link: ['#5753c6', '#b1a9ff'],
  critical: ['#e93d82', '#e93d82'],
  high: ['#ef5f00', '#f76b15'],
  medium: ['#ab6400', '#ffca16'],
  low: ['#0d74ce', '#70b8ff'],
  info: ['#80838d', '#777b84'],
  keyword: ['#5753c6', '#b1a9ff'],
  string: ['#2a7e3b', '#71d083'],
  comment: ['#60646c', '#b0b4ba'],
  number: ['#00749e', '#75c7f0'],
} as const;

export type Colour = keyof typeof palette;

/** @param theme 0 for light, 1 for dark. */
export function declarations(theme: 0 | 1): string {
  return Object.entries(palette)
    .map(([name, values]) => `--${name}:${values[theme]}`)
    .join(';');
}
