/** The pages a person needs before the web app is there: signing in, approving a device, joining a workspace. */
import type { DeviceLink, Invitation, User } from '@svc/contract';
import { html, type Html } from './html.ts';

/** @param width a wide page is one to read, the others are to be acted upon. */
export function document(title: string, content: Html, width: 'narrow' | 'wide'): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title}</title>
        <link rel="stylesheet" href="/assets/pages.css" />
        <script src="/assets/pages.js" defer></script>
      </head>
      <body>
        <main class="${width}">${content}</main>
      </body>
    </html>`.text;
}

/**
 * `call` is the endpoint that takes the form's fields as its JSON body. When it was done, `done` stands in the form's
 * place; without it the page is shown anew.
 */
function form(call: string, content: Html, button: string, done = ''): Html {
  return html`<form method="post" data-call="${call}" data-done="${done}">
    ${content}
    <p class="error" role="alert" hidden></p>
    <button>${button}</button>
  </form>`;
}

const emailField = html`<label
  >Email <input name="email" type="email" autocomplete="username" required
/></label>`;

/** Signing in, with what else a person without a session may want folded below. */
export function signIn(): Html {
  return html`<section>
      <h2>Sign in</h2>
      ${form(
        'POST /auth/login',
        html`${emailField}<label
            >Password <input name="password" type="password" autocomplete="current-password" required
          /></label>`,
        'Sign in',
      )}
    </section>
    <details>
      <summary>Make an account</summary>
      ${form(
        'POST /auth/signup',
        html`${emailField}<label
            >Password, 12 characters or more
            <input name="password" type="password" autocomplete="new-password" minlength="12" required
          /></label>`,
        'Make an account',
      )}
    </details>
    <details>
      <summary>Lost your password?</summary>
      ${form(
        'POST /auth/recover',
        html`${emailField}<label
            >Recovery code <input name="recoveryCode" autocomplete="off" required
          /></label>
          <label
            >New password, 12 characters or more
            <input name="newPassword" type="password" autocomplete="new-password" minlength="12" required
          /></label>`,
        'Set the new password',
      )}
    </details>
    ${recoveryCodeDialog}`;
}

/** Filled by the script when an answer holds a recovery code. */
const recoveryCodeDialog = html`<section id="recovery" hidden>
  <h2>Keep your recovery code</h2>
  <p>It is shown once. With it you choose a new password when you have lost yours; no email is ever sent.</p>
  <p class="code" id="recovery-code"></p>
  <button type="button" id="recovery-kept">I have kept it</button>
</section>`;

export function signedInAs(user: User): Html {
  return html`<section class="account">
    <p>Signed in as <strong>${user.email}</strong>.</p>
    ${form('POST /auth/logout', html``, 'Sign out')}
  </section>`;
}

export function welcome(): Html {
  return html`<h1>svc keeps security-scan reports</h1>
    <p>It shares with each reader what they may see, and nothing else.</p>
    ${signIn()}`;
}

export const changePasswordForm = html`<section id="password">
  <h2>Change your password</h2>
  ${form(
    'POST /auth/password',
    html`<label
        >Password <input name="password" type="password" autocomplete="current-password" required
      /></label>
      <label
        >New password, 12 characters or more
        <input name="newPassword" type="password" autocomplete="new-password" minlength="12" required
      /></label>`,
    'Change the password',
    'The password is changed. Every other session has ended.',
  )}
</section>`;

export function reportForNobody(): Html {
  return html`<h1>Sign in to read this report</h1>
    ${signIn()}`;
}

export function reportExpired(): Html {
  return html`<h1>This report has expired</h1>
    <p>Its time was over, or it was deleted. What it held is gone. <a href="/">Go to the first page</a>.</p>`;
}

const ended: Record<'denied' | 'consumed' | 'expired', Html> = {
  denied: html`<h1>This link was denied</h1>
    <p>The device was not connected. To connect it after all, start again from its terminal.</p>`,
  consumed: html`<h1>This device is connected</h1>
    <p>The link was used, and can not be used again. You can close this page.</p>`,
  expired: html`<h1>This link has expired</h1>
    <p>Links live for ten minutes. Start again from the terminal.</p>`,
};

export function deviceLink(
  publicRequestId: string,
  link: DeviceLink | null,
  user: User | null,
  now: number,
): Html {
  if (!link) return notFound();
  if (link.state === 'denied' || link.state === 'consumed' || link.state === 'expired')
    return ended[link.state];
  const heading = html`<h1>Connect “${link.deviceName}” to your account?</h1>
    <p>Compare this code with the one in your terminal:</p>
    <p class="code">${link.matchCode}</p>`;
  if (!user) {
    return html`${heading}
      <p>Sign in to go on.</p>
      ${signIn()}`;
  }
  if (link.state === 'approved') {
    return html`<h1>“${link.deviceName}” is approved</h1>
      <p>Go back to the terminal; it finishes by itself. You can close this page.</p>`;
  }
  const minutes = Math.max(0, Math.round((now - Date.parse(link.createdAt)) / 60_000));
  return html`${heading}
    <dl>
      <dt>System</dt>
      <dd>${link.osFamily}, ${link.arch}</dd>
      <dt>Client</dt>
      <dd>version ${link.clientVersion}</dd>
      <dt>Asked</dt>
      <dd>${minutes === 0 ? 'less than a minute' : minutes === 1 ? 'a minute' : `${minutes} minutes`} ago</dd>
    </dl>
    <p>The device may create and upload reports. It can not read or share them.</p>
    <p class="warning">
      Continue only if you started this in your terminal. If a website or a person sent you here, deny it.
    </p>
    <div class="choice">
      ${form(`POST /device-links/${publicRequestId}/approve`, html``, 'Approve')}
      ${form(`POST /device-links/${publicRequestId}/deny`, html``, 'Deny')}
    </div>
    ${signedInAs(user)}`;
}

export function invitation(token: string, found: Invitation | null, user: User | null): Html {
  if (!user) {
    return html`<h1>You are invited to a workspace</h1>
      <p>Sign in to see it.</p>
      ${signIn()}`;
  }
  if (!found) {
    return html`<h1>This invitation is not open</h1>
      <p>It was used, has expired or never was. Ask for a new one.</p>
      ${signedInAs(user)}`;
  }
  return html`<h1>Join “${found.workspaceName}”?</h1>
    <p>${found.invitedBy} invites you. Members can read every report of the workspace.</p>
    ${form(`POST /invitations/${token}/accept`, html``, 'Join', 'You are a member of the workspace now.')}
    ${signedInAs(user)}`;
}

export function notFound(): Html {
  return html`<h1>There is nothing here</h1>
    <p>The address is wrong, or what it named is gone. <a href="/">Go to the first page</a>.</p>`;
}

export function changePassword(appBaseUrl: string): Html {
  return html`<h1>Change your password</h1>
    <p><a href="${appBaseUrl}/#password">Sign in and change it</a></p>`;
}
