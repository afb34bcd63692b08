/** The page behind a link: the report as its viewer may see it, or what stands in the way. It names nobody and nothing else. */
import { exportFormats, type ErrorCode, type SharedReport } from '@svc/contract';
import { html, type Html } from './html.ts';
import { formatNames, reportParts } from './report.ts';
import { signIn } from './views.ts';

/** What stands in the way of a viewer. */
export type SharedObstacle = Extract<
  ErrorCode,
  | 'SHARE_NOT_AVAILABLE'
  | 'SHARE_PASSWORD_REQUIRED'
  | 'UNAUTHENTICATED'
  | 'REPORT_EXPIRED'
  | 'RATE_LIMITED'
  | 'CONFLICT'
>;

export const sharedTitle = 'Shared report';

export function sharedReport({ report, viewer }: SharedReport, slug: string, password: string): Html {
  const { project, redactionNotice } = report;
  // A view from which all is left out says that something is; only a report without a text says nothing at all.
  const hasText = report.summary ?? report.findings ?? redactionNotice;
  return html`<h1>${project?.name ?? 'Security report'}</h1>
    <p class="quiet">For ${viewer.label}</p>
    ${redactionNotice === undefined ? html`` : html`<p>${redactionNotice}</p>`}
    ${hasText ? html`${exportForm(slug, password)}${reportParts(report, '#exports')}` : waiting}`;
}

const waiting = html`<p>There is nothing to read yet. Look again when the scan has finished.</p>`;

/** The password travels in a form, so that it is in no address. */
function exportForm(slug: string, password: string): Html {
  return html`<form id="exports" class="line" method="post" action="/s/${slug}">
    <input type="hidden" name="password" value="${password}" />
    <span>Save as</span>
    ${exportFormats.map((format) => html`<button name="format" value="${format}">${formatNames[format]}</button> `)}
  </form>`;
}

interface Refusal {
  readonly obstacle: SharedObstacle;
  readonly wasTried: boolean;
  readonly retryAfterMs: number | undefined;
}

export function sharedObstacle(slug: string, { obstacle, wasTried, retryAfterMs }: Refusal): Html {
  switch (obstacle) {
    case 'SHARE_PASSWORD_REQUIRED':
      return html`<h1>This link needs its password</h1>
        <form method="post" action="/s/${slug}">
          <label
            >Password <input name="password" type="password" autocomplete="off" required autofocus
          /></label>
          ${wasTried ? html`<p class="error" role="alert">This is not its password.</p>` : html``}
          <button>Open</button>
        </form>`;
    case 'UNAUTHENTICATED':
      return html`<h1>Sign in to open this link</h1>
        ${signIn()}`;
    case 'REPORT_EXPIRED':
      return html`<h1>This report has expired</h1>
        <p>Its time was over, or it was deleted. What it held is gone.</p>`;
    case 'RATE_LIMITED':
      return tooMany(retryAfterMs);
    case 'CONFLICT':
      return html`<h1>There is no file yet</h1>
        <p>Look again when the scan has finished.</p>`;
    case 'SHARE_NOT_AVAILABLE':
      return html`<h1>This link is not available</h1>
        <p>It was withdrawn, has ended, or is for somebody else. Ask whoever gave it to you.</p>`;
  }
}

const MINUTE_MS = 60_000;

/** Wrong passwords shut a link for minutes; a crowd holds up for seconds. */
function tooMany(retryAfterMs = MINUTE_MS): Html {
  if (retryAfterMs < MINUTE_MS)
    return html`<h1>Not just now</h1>
      <p>Try again in ${Math.ceil(retryAfterMs / 1000)} s.</p>`;
  const minutes = Math.ceil(retryAfterMs / MINUTE_MS);
  return html`<h1>Too many wrong passwords</h1>
    <p>The link stays shut for ${minutes} min, for the right password too. Then try again.</p>`;
}
