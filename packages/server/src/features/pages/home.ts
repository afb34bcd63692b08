/** The first page of whoever is signed in: the newest reports, and how the first one comes about. */
import type { ReportMetadata, User } from '@svc/contract';
import { html, type Html } from './html.ts';
import { moment } from './text.ts';
import { changePasswordForm, signedInAs } from './views.ts';

const REPORTS_SHOWN_MAX = 20;

export interface HomeFacts {
  readonly user: User;
  /** Oldest first. */
  readonly reports: readonly ReportMetadata[];
  readonly apiBaseUrl: string;
}

export function home({ user, reports, apiBaseUrl }: HomeFacts): Html {
  const newest = reports.toReversed().slice(0, REPORTS_SHOWN_MAX);
  return html`<h1>${newest.length === 0 ? 'svc is ready' : 'Newest reports'}</h1>
    <ul class="reports">
      ${newest.map(line)}
    </ul>
    <details ${newest.length === 0 ? 'open' : ''}>
      <summary>
        ${newest.length === 0 ? 'Three steps to the first report' : 'Scan another repository'}
      </summary>
      ${steps(apiBaseUrl)}
    </details>
    <p>The API is described at <a href="/api/v1/openapi.json">/api/v1/openapi.json</a>.</p>
    ${signedInAs(user)} ${changePasswordForm}`;
}

function line({ reportId, projectName, state, createdAt, finalizedAt }: ReportMetadata): Html {
  return html`<li>
    <a href="/reports/${reportId}">${projectName || 'Report'}</a>
    <span class="quiet"
      >${state === 'live' ? 'scan running, since' : ''} ${moment(finalizedAt ?? createdAt)}</span
    >
  </li>`;
}

function steps(apiBaseUrl: string): Html {
  return html`<ol>
    <li>
      Link this machine. The terminal and the page show the same code.
      <pre class="command" tabindex="0" role="group" aria-label="Command">
SVC_API_BASE_URL=${apiBaseUrl} svc login</pre>
    </li>
    <li>
      Bind a repository and scan it.
      <pre class="command" tabindex="0" role="group" aria-label="Command">svc init && svc scan .</pre>
    </li>
    <li>
      Read the report. Its address is printed as soon as the scan begins.
      <pre class="command" tabindex="0" role="group" aria-label="Command">svc open</pre>
    </li>
  </ol>`;
}
