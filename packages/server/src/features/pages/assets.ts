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
      if (form.dataset.next) return location.assign(form.dataset.next);
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

const wanted = document.getElementById(new URLSearchParams(location.search).get('finding') ?? '');
if (wanted?.matches('details.finding')) {
  wanted.open = true;
  wanted.scrollIntoView();
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
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; --line: #8886; --quiet: #60646c;
  --critical: #cb1d63; --high: #cc4e00; --medium: #ab6400; --low: #0d74ce; --info: #60646c; }
body { margin: 0; }
main { max-width: 34rem; margin: 0 auto; padding: 3rem 1.25rem; }
main.wide { max-width: 60rem; font-size: 0.9375rem; }
h1 { font-size: 1.5rem; line-height: 1.25; }
h2 { font-size: 1.125rem; }
h4 { margin: 1rem 0 0.25rem; font-size: 0.875rem; }
label { display: block; margin: 0 0 0.75rem; }
input { display: block; box-sizing: border-box; width: 100%; margin-top: 0.25rem; padding: 0.5rem; font: inherit; }
button { padding: 0.5rem 1rem; font: inherit; font-weight: 600; cursor: pointer; }
details { margin-top: 1.5rem; }
summary { margin-bottom: 0.75rem; cursor: pointer; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.25rem 1rem; }
dt { opacity: 0.75; }
dd { margin: 0; overflow-wrap: anywhere; }
h1, strong, li, .text, .quiet, .place { overflow-wrap: anywhere; }
.quiet { color: var(--quiet); font-size: 0.875rem; font-weight: 400; }
.code { font: 600 1.5rem/1.4 ui-monospace, monospace; letter-spacing: 0.06em; overflow-wrap: anywhere; }
.warning { border-left: 4px solid #c2410c; padding-left: 0.75rem; }
.error { color: #b91c1c; }
.choice { display: flex; gap: 0.75rem; }
.line { display: flex; flex-wrap: wrap; gap: 0.5rem; align-items: end; margin: 0.5rem 0; }
.line label, .line .error { margin: 0; }
select, textarea { display: block; box-sizing: border-box; max-width: 100%; margin-top: 0.25rem; padding: 0.5rem; font: inherit; }
textarea { width: 100%; }
fieldset { min-width: 0; margin: 0 0 1rem; padding: 0.75rem 1rem; border: 1px solid var(--line); border-radius: 6px; }
.check { margin: 0 0 0.25rem; }
.check input { display: inline-block; width: auto; margin: 0 0.5rem 0 0; }
#share-form { max-width: 34rem; }
#exports { align-items: center; }
.account { margin-top: 2.5rem; border-top: 1px solid var(--line); }
pre { margin: 0.5rem 0; padding: 0.5rem 0.75rem; overflow: auto; border: 1px solid var(--line); border-radius: 6px;
  font: 0.8125rem/1.5 ui-monospace, monospace; unicode-bidi: plaintext; }
.command { user-select: all; }
.reports, .counts, .phases, .feed { padding: 0; list-style: none; }
.reports li { padding: 0.375rem 0; border-bottom: 1px solid var(--line); }
.verdict { margin-bottom: 0.25rem; font-weight: 600; }
.counts { display: flex; flex-wrap: wrap; gap: 0.25rem 1.25rem; margin-top: 0; font-variant-numeric: tabular-nums; }
.texts { padding-left: 1.25rem; }
.text { margin: 0.25rem 0 0.75rem; white-space: pre-wrap; }
.severity { white-space: nowrap; }
.severity::before { content: "○" / ""; margin-right: 0.375rem; color: var(--info); }
.critical::before { content: "◆" / ""; color: var(--critical); }
.high::before { content: "▲" / ""; color: var(--high); }
.medium::before { content: "■" / ""; color: var(--medium); }
.low::before { content: "●" / ""; color: var(--low); }
.finding { margin: 0; border-top: 1px solid var(--line); }
.finding summary { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) minmax(0, 18rem); gap: 0 0.75rem;
  align-items: baseline; margin: 0; padding: 0.375rem 0; }
.finding[open] { padding-bottom: 1rem; }
.finding .quiet { margin: 0.5rem 0 0; }
.finding h3 { margin: 0; font-size: inherit; overflow-wrap: anywhere; }
.place { font: 0.8125rem/1.5 ui-monospace, monospace; }
.phases li::before { content: "✓" / ""; display: inline-block; width: 1.5rem; }
.phases [data-state="running"]::before { content: "…" / ""; }
.feed { max-height: 24rem; overflow: auto; margin: 0; padding: 0.5rem 0.75rem; border: 1px solid var(--line);
  border-radius: 6px; font-size: 0.875rem; }
.feed time { color: var(--quiet); font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) {
  .wide { padding-top: 1.5rem; }
  .finding summary { grid-template-columns: 5.5rem minmax(0, 1fr); }
  .finding .place { grid-column: 2; }
}
@media (prefers-color-scheme: dark) {
  :root { --quiet: #b0b4ba; --critical: #ff92ad; --high: #ffa057; --medium: #ffca16; --low: #70b8ff; --info: #b0b4ba; }
  .error { color: #fca5a5; }
  .warning { border-color: #fb923c; }
}
`;
