/**
 * The published schema of reports: JSON Schema of draft 2020-12, made from the schema that the service compiles, in
 * keywords and expressions that other validators know. Rules that JSON Schema cannot express are in its `$comment`.
 */
import { REPORT_SCHEMA_VERSION } from '@svc/contract';
import { SchemaPublisher, type JsonSchema } from '@svc/contract/json-schema';
import { CanonicalReport } from './canonical.ts';

const ROOT = 'CanonicalReport';

export function reportJsonSchema(): JsonSchema {
  const publisher = new SchemaPublisher('#/$defs/');
  publisher.publish(CanonicalReport);
  const { [ROOT]: report, ...definitions } = publisher.definitions;
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:svc:schema:report:${REPORT_SCHEMA_VERSION}`,
    title: 'Security-scan report',
    description: `The canonical report of a scan, version ${REPORT_SCHEMA_VERSION}. Closed at every level.`,
    $comment:
      'Rules that a schema cannot express: strings are well-formed Unicode (RFC 7493), each finding id is unique, the counts in summary agree with the findings, and no string contains a secret. Formats are asserted.',
    ...report,
    $defs: definitions,
  };
}
