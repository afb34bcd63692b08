/** What a link can show. */
import type { ProjectedFinding } from '@svc/contract';

/** Of the whole report; null while the scan is running. */
export type Findings = readonly ProjectedFinding[] | null;
