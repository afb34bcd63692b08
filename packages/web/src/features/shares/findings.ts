/** What a link can show. */
import type { ProjectedFinding } from '@svc/contract';

/** Of the whole report; null while the scan is running, undefined until they have come. */
export type Findings = readonly ProjectedFinding[] | null | undefined;
