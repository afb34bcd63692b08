/** The script and the style of the small pages. */
export const SCRIPT = `
for (const form of document.querySelectorAll('form[data-call]')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const [method, path] = form.dataset.call.split(' ');
    const fields = Object.fromEntries(new FormData(form));
    const button = form.querySelector('button');
    const error = form.querySelector('.error');
    button.disabled = true;
    error.hidden = true;
    try {
      const response = await fetch('/api/v1' + path, {
        method,
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(fields),
      });
      const answer = await response.json();
      if (!response.ok) return showError(error, answer.error);
      if (answer.recoveryCode) return showRecoveryCode(answer.recoveryCode);
      if (!form.dataset.done) return location.reload();
      const done = document.createElement('p');
      done.textContent = form.dataset.done;
      form.replaceWith(done);
    } catch {
      showError(error, { message: 'The service can not be reached. Try again.' });
    } finally {
      button.disabled = false;
    }
  });
}

function showError(element, { message, details }) {
  const issues = (details?.issues ?? []).map((issue) => issue.path.slice(1) + ' ' + issue.message);
  element.textContent = issues.length > 0 ? issues.join('; ') : message;
  element.hidden = false;
}

function showRecoveryCode(code) {
  for (const part of document.querySelectorAll('main > *')) part.hidden = part.id !== 'recovery';
  document.getElementById('recovery-code').textContent = code;
  const kept = document.getElementById('recovery-kept');
  kept.addEventListener('click', () => location.reload());
  kept.focus();
}
`;

export const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; }
label { display: block; margin: 0 0 0.75rem; }
input { display: block; box-sizing: border-box; width: 100%; margin-top: 0.25rem; padding: 0.5rem; font: inherit; }
button { padding: 0.5rem 1rem; font: inherit; font-weight: 600; cursor: pointer; }
details { margin-top: 1.5rem; }
summary { margin-bottom: 0.75rem; cursor: pointer; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { opacity: 0.75; }
dd { margin: 0; overflow-wrap: anywhere; }
h1, strong { overflow-wrap: anywhere; }
.code { font: 600 1.5rem/1.4 ui-monospace, monospace; letter-spacing: 0.06em; overflow-wrap: anywhere; }
.warning { border-left: 4px solid #c2410c; padding-left: 0.75rem; }
.error { color: #b91c1c; }
.choice { display: flex; gap: 0.75rem; }
.account { margin-top: 2.5rem; border-top: 1px solid #8886; }
@media (prefers-color-scheme: dark) { .error { color: #fca5a5; } .warning { border-color: #fb923c; } }
`;
