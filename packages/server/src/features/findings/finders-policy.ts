/**
 * The tools that found the equal findings of a report. The finding is gone only after a later report has looked again
 * for each of them.
 */
import { DIGEST_BYTES, identityKey, type FindingFacts } from '@svc/report';

/** A tool, and the areas that it must cover before its finding counts as gone. */
export type Finder = Pick<FindingFacts, 'tool' | 'areas'>;

/** The columns of a finding that its project knows. */
interface Packed {
  readonly tool: Uint8Array | null;
  readonly areas: Uint8Array | null;
}

/** All zeros: never the digest of a tool or an area, so it separates finders. */
const NEXT_FINDER = new Uint8Array(DIGEST_BYTES);
const NEXT_KEY = identityKey(NEXT_FINDER);

/** The least length of `areas` with a second finder: an area, the separator, the second tool and its area. */
export const SEVERAL_BYTES_MIN = 4 * DIGEST_BYTES;

/** The other finders follow the areas of the first. */
export function packedFinders(finders: readonly [Finder, ...Finder[]]): Packed {
  const [first, ...others] = finders;
  if (others.length === 0) return { tool: first.tool, areas: Buffer.concat(first.areas) };
  const parts = [...Map.groupBy(finders, ({ tool }) => identityKey(tool)).values()].flatMap((same, index) => [
    ...(index === 0 ? [] : [NEXT_FINDER, ...same.slice(0, 1).map(({ tool }) => tool)]),
    ...uniqueBytes(same.flatMap(({ areas }) => areas)),
  ]);
  return { tool: first.tool, areas: Buffer.concat(parts) };
}

/** Empty for a finding that was never present. */
export function findersIn({ tool, areas }: Packed): Finder[] {
  if (tool === null) return [];
  const finders: { tool: Uint8Array; areas: Uint8Array[] }[] = [{ tool, areas: [] }];
  const digests = digestsIn(areas);
  for (let at = 0; at < digests.length; at += 1) {
    const digest = digests[at] ?? NEXT_FINDER;
    const next = digests[at + 1];
    if (identityKey(digest) !== NEXT_KEY) finders.at(-1)?.areas.push(digest);
    else if (next) {
      finders.push({ tool: next, areas: [] });
      at += 1;
    }
  }
  return finders;
}

function uniqueBytes(list: readonly Uint8Array[]): Uint8Array[] {
  return [...new Map(list.map((bytes) => [identityKey(bytes), bytes])).values()];
}

function digestsIn(areas: Uint8Array | null): Uint8Array[] {
  const count = Math.floor((areas?.length ?? 0) / DIGEST_BYTES);
  return Array.from({ length: count }, (_, index) =>
    (areas ?? NEXT_FINDER).subarray(index * DIGEST_BYTES, (index + 1) * DIGEST_BYTES),
  );
}
