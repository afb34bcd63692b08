/** What a decision stores so that it can be undone: what the project knew about the finding before. */
import { statusOf, type Known } from './policy.ts';

/** Decisions of earlier versions stored only the status. */
export interface BeforeDecision {
  readonly known: Known;
  /** How many reports the project had counted. */
  readonly reportsCounted: number;
}

/** As JSON: enum values, times, and digests as hexadecimal digits. */
export function beforeText(known: Known, reportsCounted: number): string {
  const { firstSeenAt, lastSeenAt, present, isOpen, isWeak, isHeld, presentFrom, presentSeverity } = known;
  return JSON.stringify({
    ...statusOf(known),
    firstSeenAt,
    lastSeenAt,
    present,
    isOpen,
    isWeak,
    isHeld,
    presentFrom,
    presentSeverity,
    tool: hexOf(known.tool),
    areas: hexOf(known.areas),
    reportsCounted,
  });
}

/** @param now what the project knows now; it completes what an earlier version stored. */
export function beforeIn(text: string, now: Known): BeforeDecision {
  const { tool, areas, reportsCounted = 0, ...stored } = JSON.parse(text) as StoredBefore;
  const digests = tool === undefined ? {} : { tool: bytesOf(tool), areas: bytesOf(areas ?? null) };
  return { known: { ...now, ...stored, ...digests }, reportsCounted };
}

type StoredBefore = Partial<Omit<Known, 'tool' | 'areas'>> & {
  readonly tool?: string | null;
  readonly areas?: string | null;
  readonly reportsCounted?: number;
};

function hexOf(bytes: Uint8Array | null): string | null {
  return bytes === null ? null : Buffer.from(bytes).toString('hex');
}

function bytesOf(hex: string | null): Uint8Array | null {
  return hex === null ? null : Buffer.from(hex, 'hex');
}
