/** Links to a report, on its page: those that there are, and a form that makes one. */
import { severities, type Share } from '@svc/contract';
import { html, type Html } from './html.ts';
import { moment } from './text.ts';

export function sharing(reportId: string, shares: readonly Share[], now: number): Html {
  const active = shares.filter(
    ({ revokedAt, expiresAt }) => revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now),
  );
  return html`<details id="sharing">
    <summary>Share${active.length === 0 ? '' : ` (${active.length})`}</summary>
    ${
      active.length === 0
        ? html``
        : html`<ul class="reports">
            ${active.map((share) => line(share))}
          </ul>`
    }
    ${form(reportId)}
  </details>`;
}

const modeWords = {
  private: 'only those it names',
  workspace: 'members of the workspace',
  anyone_with_link: 'any account',
} as const;

function line(share: Share): Html {
  const { id, reportId, mode, anonymousAllowed, hasPassword, expiresAt, viewCount, principals } = share;
  const who = mode === 'anyone_with_link' && anonymousAllowed ? 'anyone with the link' : modeWords[mode];
  const named = principals.map(({ principalValue }) => principalValue).join(', ');
  const facts = [
    named === '' ? who : `${who}; ${named}`,
    ...leftOut(share),
    ...(hasPassword ? ['password'] : []),
    viewCount === 1 ? '1 view' : `${viewCount} views`,
  ];
  return html`<li>
    <b>${share.label ?? 'Link'}</b>
    <span class="quiet"
      >${facts.join(' · ')}${expiresAt === null ? '' : html` · until ${moment(expiresAt)}`}</span
    >
    <form
      class="line"
      method="post"
      data-call="DELETE /shares/${id}?reportId=${reportId}"
      data-done="Revoked."
    >
      <button>Revoke link</button>
      <p class="error" role="alert" hidden></p>
    </form>
  </li>`;
}

/** What its owner should see at a glance of what a link shows. */
function leftOut({ defaultPolicy: { anonymize, fields, findings } }: Share): string[] {
  return [
    ...(anonymize === true ? ['without names'] : []),
    ...(fields?.code === true ? ['with code'] : []),
    ...(findings?.maxSeverity === undefined ? [] : [`nothing above ${findings.maxSeverity}`]),
  ];
}

const fieldWords = {
  evidence: 'Evidence',
  code: 'Code and places in it',
  reproduction: 'How to reproduce it',
  remediation: 'What to do about it',
  metadata: 'References, tags and history',
} as const;

function form(reportId: string): Html {
  return html`<form id="share-form" method="post" data-report="${reportId}">
    <fieldset>
      <legend>Who</legend>
      <label
        ><select name="who">
          <option value="anonymous">Anyone with the link</option>
          <option value="anyone_with_link">Anyone with the link who has an account</option>
          <option value="workspace">Members of the workspace</option>
          <option value="private">Only those named below</option>
        </select></label
      >
      <label
        >Named: email addresses or ids, one on each line
        <textarea name="principals" rows="2"></textarea>
        <span class="quiet"
          >Addresses are not verified here. Add a password for what must not be guessed.</span
        ></label
      >
    </fieldset>
    <fieldset>
      <legend>What they see</legend>
      <label
        >Findings
        <select name="maxSeverity">
          <option value="">All</option>
          ${severities.slice(1).map((severity) => html`<option value="${severity}">Nothing above ${severity}</option>`)}
        </select></label
      >
      ${Object.entries(fieldWords).map(
        ([name, words]) =>
          html`<label class="check"
            ><input type="checkbox" name="fields" value="${name}" ${name === 'code' ? '' : 'checked'} />
            ${words}</label
          >`,
      )}
      <label class="check"
        ><input type="checkbox" name="anonymize" /> Without names: project, repository, hosts, agent</label
      >
      <p class="quiet">Titles, components and summaries are always there, and can name files.</p>
    </fieldset>
    <label>Ends on <input type="date" name="expiresOn" /></label>
    <label>Password, if it needs one <input name="password" autocomplete="new-password" /></label>
    <label>Your own name for it <input name="label" maxlength="80" /></label>
    <p class="error" role="alert" hidden></p>
    <button>Make a link</button>
    <p id="share-made" role="status" hidden>
      <label>The link. It is shown once. <input id="share-url" readonly /></label>
    </p>
  </form>`;
}

/** Turns the form into the call that makes a link. Needs `showError` of the pages' own script. */
export const SHARING_SCRIPT = `
const shareForm = document.getElementById('share-form');
if (shareForm) {
  const DAY_MS = 86400000;
  const ends = shareForm.elements.expiresOn;
  ends.min = new Date(Date.now() + DAY_MS).toISOString().slice(0, 10);
  ends.value = new Date(Date.now() + 7 * DAY_MS).toISOString().slice(0, 10);
  shareForm.addEventListener('submit', async (event) => {
    event.preventDefault();
    const error = shareForm.querySelector('.error');
    const share = shareOf(new FormData(shareForm));
    if (share.mode === 'private' && share.principals.length === 0)
      return showError(error, { message: 'Name who may open it, one on each line.' });
    const button = shareForm.querySelector('button');
    error.hidden = true;
    button.disabled = true;
    try {
      const response = await fetch('/api/v1/reports/' + shareForm.dataset.report + '/shares', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(share),
      });
      const answer = await response.json();
      if (!response.ok) return showError(error, namedIn(answer.error, share));
      document.getElementById('share-url').value = answer.url;
      document.getElementById('share-made').hidden = false;
      document.getElementById('share-url').select();
    } catch {
      showError(error, { message: 'The service can not be reached. Try again.' });
    } finally {
      button.disabled = false;
    }
  });
}

/** A name that is none is called by what was typed. */
function namedIn({ message, details }, { principals }) {
  const issues = (details?.issues ?? []).map((issue) => {
    const [, at] = /^\\/principals\\/(\\d+)\\//.exec(issue.path) ?? [];
    return at === undefined ? issue : { ...issue, path: '/“' + principals[at].principalValue + '”' };
  });
  return { message, details: { issues } };
}

function shareOf(given) {
  const who = given.get('who');
  const isAnonymous = who === 'anonymous';
  const policy = {
    version: 1,
    sections: { mode: 'allow_all' },
    findings: { mode: 'allow_all', ...(given.get('maxSeverity') ? { maxSeverity: given.get('maxSeverity') } : {}) },
    fields: Object.fromEntries(given.getAll('fields').map((name) => [name, true])),
    anonymize: given.has('anonymize'),
  };
  const principals = given.get('principals').split('\\n').map((line) => line.trim()).filter(Boolean);
  return {
    mode: isAnonymous ? 'anyone_with_link' : who,
    anonymousAllowed: isAnonymous,
    defaultPolicy: policy,
    principals: principals.map((principalValue) => ({ principalValue, policy })),
    ...(given.get('expiresOn') ? { expiresAt: given.get('expiresOn') + 'T23:59:59Z' } : {}),
    ...(given.get('password') ? { password: given.get('password') } : {}),
    ...(given.get('label') ? { label: given.get('label') } : {}),
  };
}
`;
