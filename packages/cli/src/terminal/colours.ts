/** Colours of one output, or none where it is no terminal. */
import type { createColors } from 'picocolors';

export type Colours = ReturnType<typeof createColors>;
