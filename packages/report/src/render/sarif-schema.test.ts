/** Every valid projection, including hostile ones, gives a log that is valid under the schema of OASIS. */
import { ReportProjection, type ProjectedFinding } from '@svc/contract';
import { SchemaPublisher } from '@svc/contract/json-schema';
import { anyText } from '@svc/testkit/any-text';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { noValidator, schemaErrors } from '../../test/sarif-judges.ts';
import { valuesOf } from '../../test/samples.ts';
import { renderSarif, type SarifContext } from './sarif.ts';

const publisher = new SchemaPublisher('#/$defs/');
const $ref = (publisher.publish(ReportProjection) as { $ref: string }).$ref;
const projections = valuesOf({ $ref, $defs: publisher.definitions }) as fc.Arbitrary<ReportProjection>;

const hostileTexts = fc.oneof(
  anyText(),
  fc.constantFrom(
    '',
    ' ',
    '\ud800',
    '\u0000',
    '[a](1)',
    '[a](https://example.com)',
    '[',
    '{0}',
    '{{',
    '</script>',
    '../../x',
    'C:\\x:9',
    'file:///x y',
    '//host/x',
    'https://u:p@h/%zz|',
    'git@h.example:o/r',
    'a:b:99999999999',
    'CWE-0 CWE-79 cwe-99999',
    '__proto__',
  ),
);
const lineNumbers = fc.oneof(fc.integer(), fc.maxSafeInteger());

/** A finding with any texts and lines, since a policy may have replaced parts of them. */
const hostileChanges = fc.record(
  {
    title: hostileTexts,
    category: hostileTexts,
    summary: hostileTexts,
    affected: fc.record(
      {
        component: hostileTexts,
        file: hostileTexts,
        route: hostileTexts,
        origin: hostileTexts,
        lineStart: lineNumbers,
        lineEnd: lineNumbers,
      },
      { requiredKeys: ['component'], noNullPrototype: true },
    ),
    evidence: fc.array(
      fc.record({
        kind: fc.constant('source' as const),
        description: hostileTexts,
        location: hostileTexts,
        snippet: hostileTexts,
      }),
      { maxLength: 4 },
    ),
    taxonomy: fc.array(hostileTexts),
    tags: fc.array(hostileTexts),
  },
  { noNullPrototype: true },
) as fc.Arbitrary<Partial<ProjectedFinding>>;

/** `fc.webUrl` would do, but makes a table of all code points (see any-text.ts). */
const urls = fc
  .tuple(fc.domain(), anyText(), anyText())
  .map(
    ([domain, path, query]) => `https://${domain}/${encodeURIComponent(path)}?${encodeURIComponent(query)}`,
  );

const contexts = fc.record(
  {
    profile: fc.constant('github' as const),
    reportUrl: fc.oneof(hostileTexts, urls),
    baseline: fc.constant({ newFindingIds: new Set(['F-1']) }),
  },
  { requiredKeys: [], noNullPrototype: true },
) as fc.Arbitrary<SarifContext>;

function changed(
  projection: ReportProjection,
  changes: Partial<ProjectedFinding>,
  url: string,
): ReportProjection {
  const { findings, project } = projection;
  return {
    ...projection,
    ...(findings && { findings: findings.map((finding) => ({ ...finding, ...changes })) }),
    ...(project && { project: { ...project, repositoryUrl: url } }),
  };
}

describe.skipIf(noValidator !== undefined)('the SARIF schema of OASIS', () => {
  const errorsOf = noValidator === undefined ? schemaErrors() : () => [];

  test('rejects JSON that is not a log', () => {
    expect(errorsOf('{"version":"2.1.0"}')).not.toEqual([]);
    expect(errorsOf('{"version":"2.1.0","runs":[{"tool":{"driver":{"name":"x"}},"extra":1}]}')).not.toEqual(
      [],
    );
  });

  test('[D11] accepts the export of every projection', () => {
    fc.assert(
      fc.property(projections, contexts, (projection, context) => {
        expect(errorsOf(renderSarif(projection, context))).toEqual([]);
      }),
      { numRuns: 150 },
    );
  });

  test('[D11] accepts the export for any texts, locations and addresses', () => {
    fc.assert(
      fc.property(
        projections,
        hostileChanges,
        hostileTexts,
        contexts,
        (projection, changes, url, context) => {
          expect(errorsOf(renderSarif(changed(projection, changes, url), context))).toEqual([]);
        },
      ),
    );
  });
});
