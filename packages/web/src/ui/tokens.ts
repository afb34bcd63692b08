/** The colours by purpose. Both themes use the Radix scales; tokens.css is generated from this list. */
import {
  amber,
  amberDark,
  blue,
  blueDark,
  crimson,
  crimsonDark,
  green,
  greenDark,
  iris,
  irisDark,
  orange,
  orangeDark,
  red,
  redDark,
  slate,
  slateDark,
} from '@radix-ui/colors';

const scales = {
  amber: { light: amber, dark: amberDark },
  blue: { light: blue, dark: blueDark },
  crimson: { light: crimson, dark: crimsonDark },
  green: { light: green, dark: greenDark },
  iris: { light: iris, dark: irisDark },
  orange: { light: orange, dark: orangeDark },
  red: { light: red, dark: redDark },
  slate: { light: slate, dark: slateDark },
} as const;

type Step = 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | 10 | 11 | 12;

export interface Token {
  readonly light: string;
  readonly dark: string;
}

function token(scale: keyof typeof scales, light: Step, dark: Step = light): Token {
  const colour = (theme: keyof Token, step: Step) =>
    (scales[scale][theme] as Readonly<Record<string, string>>)[`${scale}${step}`] ?? '';
  return { light: colour('light', light), dark: colour('dark', dark) };
}

export const tokens = {
  /** Behind everything: the darker of the two tones. */
  page: token('slate', 2, 1),
  /** What lies on the page: cards, lists, articles and bars. */
  surface: { light: '#ffffff', dark: slateDark.slate2 },
  /** What floats over the page: menus and dialogs. */
  float: { light: '#ffffff', dark: slateDark.slate3 },
  /** The inside of inputs. */
  field: { light: '#ffffff', dark: slateDark.slate1 },
  /** Code and inset areas. */
  sunken: token('slate', 3),
  /** Differs from everything that it can lie on. */
  hover: token('slate', 3, 4),
  chosen: token('iris', 3),
  line: token('slate', 5),
  /** The border of inputs. */
  edge: token('slate', 9, 10),
  text: token('slate', 12),
  quiet: token('slate', 11),
  accent: token('iris', 9),
  'accent-strong': token('iris', 10, 8),
  'accent-text': token('iris', 11),
  'on-accent': { light: '#ffffff', dark: '#ffffff' },
  danger: token('red', 11, 8),
  'danger-strong': token('red', 12, 7),
  'danger-text': token('red', 11),
  'danger-soft': token('red', 3),
  'good-text': token('green', 12, 11),
  'good-soft': token('green', 3),
  'warn-text': token('amber', 12, 11),
  'warn-soft': token('amber', 3),
  /** Glyphs, bars and charts. */
  critical: token('crimson', 9),
  high: token('orange', 11, 9),
  medium: token('amber', 11, 9),
  low: token('blue', 10, 9),
  info: token('slate', 10),
  /** Chips: the more severe, the stronger the fill. */
  'critical-chip': token('crimson', 11, 8),
  'on-critical-chip': { light: '#ffffff', dark: '#ffffff' },
  'high-chip': token('orange', 11, 8),
  'on-high-chip': { light: '#ffffff', dark: '#ffffff' },
  'medium-chip': token('amber', 5),
  'on-medium-chip': token('amber', 12),
  'low-chip': token('blue', 4),
  'on-low-chip': token('blue', 12),
  'info-chip': token('slate', 4),
  'on-info-chip': token('slate', 12),
} as const satisfies Record<string, Token>;

export type TokenName = keyof typeof tokens;

/** Pairs of foreground and background with their minimum contrast: 4.5 for text, 3 for glyphs and edges. */
export const contrastPairs: readonly (readonly [front: TokenName, back: TokenName, contrastMin: number])[] = [
  ...(['page', 'surface', 'float', 'field', 'sunken', 'hover', 'chosen'] as const).flatMap((back) => [
    ['text', back, 4.5] as const,
    ['quiet', back, 4.5] as const,
  ]),
  ...(['page', 'surface', 'float', 'hover', 'chosen'] as const).flatMap((back) => [
    ['accent-text', back, 4.5] as const,
    ['danger-text', back, 4.5] as const,
    ...(['critical', 'high', 'medium', 'low', 'info'] as const).map((glyph) => [glyph, back, 3] as const),
  ]),
  ...(['critical', 'high', 'medium', 'low', 'info'] as const).map(
    (severity) => [`on-${severity}-chip`, `${severity}-chip`, 4.5] as const,
  ),
  // In a dark dialog, inset areas have the colour of a surface.
  ...(['sunken', 'surface', 'chosen'] as const).flatMap((back) => [
    ['accent-text', back, 4.5] as const,
    ['good-text', back, 4.5] as const,
    ['warn-text', back, 4.5] as const,
  ]),
  ...(['page', 'surface', 'float', 'field'] as const).map((back) => ['edge', back, 3] as const),
  ['on-accent', 'accent', 4.5],
  ['on-accent', 'accent-strong', 4.5],
  ['on-accent', 'danger', 4.5],
  ['on-accent', 'danger-strong', 4.5],
  ['danger-text', 'danger-soft', 4.5],
  ['text', 'danger-soft', 4.5],
  ['good-text', 'good-soft', 4.5],
  ['text', 'good-soft', 4.5],
  ['warn-text', 'warn-soft', 4.5],
  ['text', 'warn-soft', 4.5],
];
