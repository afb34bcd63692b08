/** The page of a final report: all that its reader may see, as text. */
import type { Finding, FindingEvidence, ReportProjection, ReportRead, Severity } from '@svc/contract';
import { severities } from '@svc/contract';
import { html, type Html } from './html.ts';
import { moment, spoken } from './text.ts';

/** More than a person reads on one page, and no more than a browser lays out at once. */
const FINDINGS_SHOWN_MAX = 1000;

export function finalReport(read: ReportRead, report: ReportProjection): Html {
  const findings = report.findings ?? [];
  const worstFirst = findings.toSorted(
    (one, other) => severities.indexOf(one.severity) - severities.indexOf(other.severity),
  );
  return html`<h1>${read.projectName}</h1>
    ${identity(read, report)} ${verdict(report)} ${notCovered(report)}
    <h2>Findings</h2>
    ${
      findings.length > FINDINGS_SHOWN_MAX
        ? html`<p>
            The ${FINDINGS_SHOWN_MAX} most severe of ${findings.length} are shown here. All of them are in
            <a href="/api/v1/reports/${read.reportId}">the report as JSON</a>.
          </p>`
        : html``
    }
    ${findings.length === 0 ? html`<p>None.</p>` : html``}
    <div class="findings">${worstFirst.slice(0, FINDINGS_SHOWN_MAX).map(findingPart)}</div>`;
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

function notCovered({ coverageAreas = [], limitations = [], coverage = [] }: ReportProjection): Html {
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

function findingPart(finding: Finding): Html {
  const { id, title, severity, verification, category, status } = finding;
  const tags = [...(finding.taxonomy ?? []), ...(finding.tags ?? [])];
  const facts = [id, category, spoken(verification), ...(status ? [spoken(status)] : []), ...tags];
  return html`<details class="finding" id="${id}">
    <summary>
      ${badge(severity)}
      <h3>${title}</h3>
      <code class="place">${placeOf(finding)}</code>
    </summary>
    <p class="quiet">${facts.join(' · ')}</p>
    <p class="text">${finding.summary}</p>
    ${part('Impact', finding.impact)}
    <h4>Evidence</h4>
    ${[...finding.evidence, ...(finding.corroboration ?? [])].map(evidencePart)}
    ${part('How to reproduce it', finding.reproduction)} ${part('What to do', finding.remediation)}
    ${part('How to verify it', finding.verificationPlan)}
    ${part('References', finding.references?.join('\n'))}
    ${part('Secrets', finding.secretReferences?.map(({ label, kind, location }) => joined(', ', label, kind, location)).join('\n'))}
  </details>`;
}

function evidencePart({ kind, description, location, snippet, redacted }: FindingEvidence): Html {
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

function placeOf({ affected }: Finding): string {
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
