/** A scan of one folder or file of a repository. Everything outside of it was not scanned, and the report says so. */
import { limits } from '@svc/contract';
import { PART_AREA, type ScannedPart } from '../report/scanned-part.ts';
import type { ScanResult } from './scan-result.ts';

/**
 * The result of a partial scan: no area is covered, and neither are the tools that scanned only the part, so that nothing
 * outside counts as scanned again.
 *
 * @param tools that ran in the part; imported results may be of the whole repository
 */
export function limitedTo(part: ScannedPart, result: ScanResult, tools: readonly string[]): ScanResult {
  const sentence = `Only ${part.path} was scanned; the rest of the repository was not scanned.`;
  const ids = new Set(tools.map((name) => `tool:${name}`));
  const own = new Set(['secrets', 'static_analysis', 'dependencies', ...ids]);
  const known = new Set(result.coverageAreas.map(({ id }) => id));
  const areas = [
    { id: PART_AREA, name: `Only ${part.path}`, status: 'partial' as const, note: sentence },
    ...result.coverageAreas.map((area) =>
      own.has(area.id) && area.status === 'covered'
        ? { ...area, status: 'partial' as const, note: `${area.note ?? ''} ${sentence}`.trimStart() }
        : area,
    ),
    ...tools
      .filter((name) => !known.has(`tool:${name}`))
      .map((name) => ({ id: `tool:${name}`, name, status: 'partial' as const, note: sentence })),
  ];
  return {
    ...result,
    coverage: [`Only ${part.path} was scanned.`, ...result.coverage].slice(0, limits.report.coverageMax),
    coverageAreas: areas.slice(0, limits.report.coverageAreasMax),
    limitations: [sentence, ...result.limitations].slice(0, limits.report.limitationsMax),
  };
}
