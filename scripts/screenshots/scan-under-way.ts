/** The progress events of a scan when its screenshot is taken: some phases are complete, one runs. */
import type { ProgressEvent } from '@svc/contract';

type SampleEvent = Pick<ProgressEvent, 'type' | 'phase' | 'safeCode'> & { readonly afterMs: number };

/** The screenshot shows a scan that began a minute ago, so its events are close together. */
const STEP_MS = 90;

const at = (
  steps: number,
  type: SampleEvent['type'],
  phase?: SampleEvent['phase'],
  safeCode?: SampleEvent['safeCode'],
): SampleEvent => ({
  afterMs: steps * STEP_MS,
  type,
  ...(phase && { phase }),
  ...(safeCode && { safeCode }),
});

export const scanUnderWay: readonly SampleEvent[] = [
  at(0, 'scan_started'),
  at(1, 'phase_started', 'inventory'),
  at(19, 'phase_completed', 'inventory', 'ok'),
  at(20, 'phase_started', 'threat_model'),
  at(96, 'phase_completed', 'threat_model', 'ok'),
  at(97, 'phase_started', 'secret_review'),
  at(98, 'tool_started', 'secret_review'),
  at(121, 'tool_completed', 'secret_review', 'ok'),
  at(122, 'finding_recorded', 'secret_review'),
  at(123, 'phase_completed', 'secret_review', 'ok'),
  at(124, 'phase_started', 'dependency_review'),
  at(125, 'tool_started', 'dependency_review'),
  at(181, 'tool_completed', 'dependency_review', 'partial'),
  at(182, 'phase_completed', 'dependency_review', 'partial'),
  at(183, 'phase_started', 'static_analysis'),
  at(240, 'candidate_found', 'static_analysis'),
  at(301, 'candidate_found', 'static_analysis'),
  at(322, 'finding_recorded', 'static_analysis'),
  at(377, 'candidate_found', 'static_analysis'),
  at(401, 'finding_merged', 'static_analysis'),
  at(466, 'candidate_found', 'static_analysis'),
  at(488, 'finding_dismissed', 'static_analysis'),
  at(530, 'finding_recorded', 'static_analysis'),
  at(602, 'candidate_found', 'static_analysis'),
];
