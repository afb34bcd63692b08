/** The findings that a share can show. */
import type { ProjectedFinding } from '@svc/contract';

/** All findings of the report; null while the scan is running, undefined while loading. */
export type Findings = readonly ProjectedFinding[] | null | undefined;
