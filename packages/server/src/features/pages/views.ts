/** The pages a person needs before the web app is there: signing in, and the password. */
import type { User } from '@svc/contract';
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
function signIn(): Html {
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
