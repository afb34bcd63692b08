/** A final report on a page: all that its reader may see, as text, and for its own people what they can do with it. */
import type {
  ProjectedEvidence,
  ProjectedFinding,
  ReportProjection,
  ReportRead,
  Severity,
  Share,
} from '@svc/contract';
import { exportFormats, severities } from '@svc/contract';
import { html, type Html } from './html.ts';
import { sharing } from './sharing.ts';
import { movesOf } from './status-moves.ts';
import { moment, spoken } from './text.ts';

/** More than a person reads on one page, and no more than a browser lays out at once. */
const FINDINGS_SHOWN_MAX = 1000;

/** @param links to the report; null for members, who can not share it. */
export function finalReport(
  read: ReportRead,
  report: ReportProjection,
  links: { readonly shares: readonly Share[]; readonly now: number } | null,
): Html {
  const { reportId } = read;
  return html`<h1>${read.projectName}</h1>
    ${identity(read, report)} ${exportLinks((format) => `/api/v1/reports/${reportId}/export/${format}`)}
    ${links ? sharing(reportId, links.shares, links.now) : html``}
    ${reportParts(report, `/api/v1/reports/${reportId}/export/json`, reportId)}`;
}

/**
 * What every reader of a projection gets; what the projection does not have is not there.
 * @param all where the whole of it is, for when there is more than a page holds.
 * @param movable the report's id where the reader may change the status of its findings.
 */
function reportParts(report: ReportProjection, all: string, movable?: string): Html {
  return html`${verdict(report)} ${notCovered(report)} ${findingsPart(report, all, movable)}`;
}

function findingsPart({ findings, redactionNotice }: ReportProjection, all: string, movable?: string): Html {
  if (!findings) return html``;
  const worstFirst = findings.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
  const none = redactionNotice === undefined ? 'None.' : 'This view holds no findings.';
  return html`<h2>Findings</h2>
    ${
      findings.length > FINDINGS_SHOWN_MAX
        ? html`<p>
            The ${FINDINGS_SHOWN_MAX} most severe of ${findings.length} are shown here. All of them are in
            <a href="${all}">the file</a>.
          </p>`
        : html``
    }
    ${findings.length === 0 ? html`<p>${none}</p>` : html``}
    <div class="findings">
      ${worstFirst.slice(0, FINDINGS_SHOWN_MAX).map((finding) => findingPart(finding, movable))}
    </div>`;
}

const formatNames = { html: 'HTML', json: 'JSON', markdown: 'Markdown', sarif: 'SARIF' } as const;

function exportLinks(addressOf: (format: string) => string): Html {
  return html`<p class="quiet">
    Save as ${exportFormats.map((format) => html`<a href="${addressOf(format)}">${formatNames[format]}</a> `)}
    <a href="${addressOf('sarif')}?profile=github">SARIF for GitHub</a>
  </p>`;
}
function identity(read: ReportRead, { scan, project }: ReportProjection): Html {
  const { effortRequested, effortResolved } = read;
  const agent = scan?.agent ?? read.agent;
  const tools = (scan?.tools ?? []).map(({ name, version }) => joined(' ', name, version));
  return html`<dl>
    ${entry('Repository', project?.repositoryUrl)}
    ${entry('Commit', joined(' on ', scan?.commit, scan?.branch))}
    ${entry('Effort', effortRequested === effortResolved ? effortResolved : `${effortResolved} (asked for: ${effortRequested})`)}
    ${entry('Scanned by', joined(' ', agent?.name, agent?.version, agent?.model))}
    ${entry('Tools', tools.join(', '))} ${entry('Scanned', scan?.finishedAt && moment(scan.finishedAt))}
    ${entry('Kept until', moment(read.expiresAt))}
    ${read.supportAccesses.map(({ at, reason }) => entry('Read by support', html`${moment(at)}: ${reason}`))}
  </dl>`;
}

function verdict({ summary }: ReportProjection): Html {
  if (!summary) return html``;
  const { findingCount, severityCounts, verificationCounts } = summary;
  return html`<p class="verdict">
      ${findingCount === 1 ? '1 finding' : `${findingCount} findings`}, ${verificationCounts.verified}
      verified
    </p>
    <ul class="counts">
      ${severities.map((severity) => html`<li><b>${severityCounts[severity]}</b> ${badge(severity)}</li>`)}
    </ul>`;
}

const areaStates = {
  covered: 'covered',
  partial: 'covered in part',
  not_covered: 'not covered',
};

function notCovered({ coverageAreas, limitations = [], coverage = [] }: ReportProjection): Html {
  if (!coverageAreas) return limitations.length === 0 ? html`` : limitationsPart(limitations);
  const left = coverageAreas.filter(({ status }) => status !== 'covered');
  return html`<h2>What was not covered</h2>
    <p>${coverageAreas.length - left.length} of ${coverageAreas.length} areas are covered in full.</p>
    <ul class="texts">
      ${left.map(
        ({ name, status, note }) =>
          html`<li><b>${name}</b>: ${areaStates[status]}${note ? `. ${note}` : ''}</li>`,
      )}
      ${limitations.map((limitation) => html`<li>${limitation}</li>`)}
    </ul>
    ${
      coverage.length === 0
        ? html``
        : html`<details>
            <summary>What was looked at</summary>
            <ul class="texts">
              ${coverage.map((line) => html`<li>${line}</li>`)}
            </ul>
          </details>`
    }`;
}

function limitationsPart(limitations: readonly string[]): Html {
  return html`<h2>Limitations</h2>
    <ul class="texts">
      ${limitations.map((limitation) => html`<li>${limitation}</li>`)}
    </ul>`;
}

function findingPart(finding: ProjectedFinding, movable?: string): Html {
  const { id, title, severity, verification, category, status, firstSeenAt } = finding;
  const tags = [...(finding.taxonomy ?? []), ...(finding.tags ?? [])];
  const known = firstSeenAt === undefined ? [] : [`first seen ${firstSeenAt.slice(0, 10)}`];
  const facts = [id, category, spoken(verification), ...(status ? [spoken(status)] : []), ...known, ...tags];
  return html`<details class="finding" id="${id}">
    <summary>
      ${badge(severity)}
      <h3>
        ${title}${status === undefined || status === 'open' ? '' : html` <span class="quiet">${spoken(status)}</span>`}
      </h3>
      <code class="place">${placeOf(finding)}</code>
    </summary>
    <p class="quiet">${facts.join(' · ')}</p>
    <p class="text">${finding.summary}</p>
    ${part('Impact', finding.impact)}
    ${evidenceParts([...finding.evidence, ...(finding.corroboration ?? [])])}
    ${part('How to reproduce it', finding.reproduction)} ${part('What to do', finding.remediation)}
    ${part('How to verify it', finding.verificationPlan)}
    ${part('References', finding.references?.join('\n'))}
    ${part('Secrets', finding.secretReferences?.map(({ label, kind, location }) => joined(', ', label, kind, location)).join('\n'))}
    ${movable === undefined ? html`` : movesOf(movable, finding)}
  </details>`;
}

function evidenceParts(evidence: readonly ProjectedEvidence[]): Html {
  return evidence.length === 0
    ? html``
    : html`<h4>Evidence</h4>
        ${evidence.map(evidencePart)}`;
}

function evidencePart({ kind, description, location, snippet, redacted }: ProjectedEvidence): Html {
  const facts = [spoken(kind), ...(location ? [location] : []), ...(redacted ? ['secrets taken out'] : [])];
  return html`<p class="quiet">${facts.join(' · ')}</p>
    <p class="text">${description}</p>
    ${snippet ? html`<pre tabindex="0" role="group" aria-label="Code">${snippet}</pre>` : html``}`;
}

function part(title: string, text: string | undefined): Html {
  return text
    ? html`<h4>${title}</h4>
        <p class="text">${text}</p>`
    : html``;
}

function entry(name: string, value: Html | string | undefined): Html {
  return value
    ? html`<dt>${name}</dt>
        <dd>${value}</dd>`
    : html``;
}

function badge(severity: Severity): Html {
  return html`<span class="severity ${severity}">${severity}</span>`;
}

function placeOf({ affected }: ProjectedFinding): string {
  const { file, lineStart, lineEnd, route, origin, component } = affected;
  if (!file) return route ?? origin ?? component;
  if (lineStart === undefined) return file;
  return lineEnd === undefined || lineEnd === lineStart
    ? `${file}:${lineStart}`
    : `${file}:${lineStart}-${lineEnd}`;
}

function joined(by: string, ...parts: readonly (string | undefined)[]): string {
  return parts.filter(Boolean).join(by);
}
