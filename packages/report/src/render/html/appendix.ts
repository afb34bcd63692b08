/** How the report was made: method, tools and machine. */
import type { ReportProjection } from '@svc/contract';
import { counted } from '../../reading/labels.ts';
import { factsHtml, code, plain, type Fact } from './facts.ts';
import { joined, markup, type Html } from './template.ts';
import { moment } from './time.ts';

export function appendixHtml({
  project,
  scan,
  methodologyVersion,
  generatedAt,
}: ReportProjection): Html | undefined {
  const all: Fact[] = [
    ['Methodology', plain(methodologyVersion)],
    ['Effort', scan && effortOf(scan)],
    [
      'Agent',
      scan?.agent &&
        markup`<bdi>${[scan.agent.name, scan.agent.version, scan.agent.model].filter(Boolean).join(' ')}</bdi>`,
    ],
    ['Tools', toolsOf(scan?.tools ?? [])],
    [
      'Machine',
      scan?.host &&
        markup`<bdi>${scan.host.osFamily} ${scan.host.arch}</bdi>, CLI <bdi>${scan.host.cliVersion}</bdi>`,
    ],
    ['Default branch', code(project?.defaultBranch)],
    [
      'Languages',
      project?.languages?.length ? markup`<bdi>${project.languages.join(', ')}</bdi>` : undefined,
    ],
    ['Files', plain(project?.fileCount)],
    ['Generated', generatedAt === undefined ? undefined : moment(generatedAt)],
  ];
  const facts = factsHtml(all);
  return (
    facts &&
    markup`<section aria-labelledby="appendix"><h2 id="appendix">Appendix: method and machine</h2>
${facts}
</section>
`
  );
}

type Scan = NonNullable<ReportProjection['scan']>;

function effortOf({ effortRequested, effortResolved }: Scan): Html {
  return effortRequested === effortResolved
    ? markup`${effortResolved}`
    : markup`${effortResolved} (requested: ${effortRequested})`;
}

function toolsOf(tools: NonNullable<Scan['tools']>): Html | undefined {
  const names = tools.map(({ name, version, findings }) => {
    const found = findings === undefined ? '' : ` (${counted(findings, 'finding')})`;
    return markup`<bdi>${[name, version].filter(Boolean).join(' ')}</bdi>${found}`;
  });
  return joined(', ', names);
}
