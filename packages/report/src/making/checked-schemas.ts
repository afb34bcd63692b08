/**
 * The schemas that check a log and its report as a whole, by name. A program that may not generate code gets their
 * checks from its build.
 */
import { CanonicalReport } from '../model/canonical.ts';
import { ImportedFinding } from '../sarif/valid-finding.ts';

export const checkedSchemas = { finding: ImportedFinding, report: CanonicalReport };
