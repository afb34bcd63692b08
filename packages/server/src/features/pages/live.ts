/**
 * The page of a scan that runs: its phases and a feed of events, and then the report in its place.
 *
 * The stream tells how the scan gets on, not when its report is final. So the script also asks for the head of its own
 * page again and again, and loads the page anew as soon as that is another one. A page that nobody looks at holds no
 * stream, since a browser shares six connections to an origin among all tabs.
 */
import type { ReportRead } from '@svc/contract';
import { html, type Html } from './html.ts';
import { codeWords, phaseWords, typeWords } from '@svc/contract/progress-words';

/** Of the page of a report, so that its script sees when it has become another one. */
export const REPORT_STATE_HEADER = 'x-report-state';

const LOOKED_EVERY_MS = 2000;
const OPENED_AGAIN_AFTER_MS = 10_000;
const LINES_KEPT = 1000;

export function liveReport({ reportId, projectName }: ReportRead): Html {
  return html`<h1>${projectName}</h1>
    <p>The scan is running. This page follows it, and becomes the report when it is final.</p>
    <noscript><p class="warning">Without scripts it stands still: load it again to see more.</p></noscript>
    <p class="error" id="trouble" role="alert" hidden>The service can not be reached. Trying again.</p>
    <h2>Phases</h2>
    <ol id="phases" class="phases" aria-live="polite"></ol>
    <h2 id="feed-title">Events <span id="found" class="quiet"></span></h2>
    <ol id="feed" class="feed" tabindex="0" aria-labelledby="feed-title" data-report="${reportId}"></ol>
    <script src="/assets/live.js" defer></script>`;
}

export const LIVE_SCRIPT = `
const phaseWords = ${JSON.stringify(phaseWords)};
const typeWords = ${JSON.stringify(typeWords)};
const codeWords = ${JSON.stringify(codeWords)};
const feed = document.getElementById('feed');
const phases = document.getElementById('phases');
const found = document.getElementById('found');
const trouble = document.getElementById('trouble');
let source;
let findings;

function watch() {
  source?.close();
  findings = 0;
  for (const part of [feed, phases, found]) part.replaceChildren();
  const opened = new EventSource('/api/v1/reports/' + feed.dataset.report + '/events?resume=1');
  opened.addEventListener('progress', ({ data }) => show(JSON.parse(data)));
  opened.addEventListener('error', () => {
    if (opened.readyState !== EventSource.CLOSED) return;
    look();
    setTimeout(() => opened === source && !document.hidden && watch(), ${OPENED_AGAIN_AFTER_MS});
  });
  source = opened;
}

function show({ type, phase, safeCode, occurredAt }) {
  if (phase) showPhase(phase, type, codeWords[safeCode]);
  if (type === 'finding_recorded') findings += 1;
  if (findings > 0) found.textContent = findings === 1 ? '1 finding so far' : findings + ' findings so far';
  if (!typeWords[type]) return;
  const isAtEnd = feed.scrollHeight - feed.scrollTop - feed.clientHeight < 8;
  const time = document.createElement('time');
  time.dateTime = occurredAt;
  time.textContent = new Date(occurredAt).toLocaleTimeString();
  const line = document.createElement('li');
  line.append(time, ' ', [typeWords[type], phaseWords[phase], codeWords[safeCode]].filter(Boolean).join(' · '));
  feed.append(line);
  while (feed.childElementCount > ${LINES_KEPT}) feed.firstElementChild.remove();
  if (isAtEnd) feed.scrollTop = feed.scrollHeight;
}

function showPhase(phase, type, how) {
  let item = [...phases.children].find(({ id }) => id === 'phase-' + phase);
  if (!item) {
    item = document.createElement('li');
    item.id = 'phase-' + phase;
    phases.append(item);
  }
  const isDone = type === 'phase_completed';
  if (!isDone && item.dataset.state === 'done' && type !== 'phase_started') return;
  const state = isDone ? 'done' : 'running';
  const words = [phaseWords[phase], isDone ? how || 'done' : 'under way'].join(': ');
  if (item.dataset.state === state && item.textContent === words) return;
  item.dataset.state = state;
  item.textContent = words;
}

async function look() {
  if (document.hidden) return;
  try {
    const { status, headers } = await fetch(location.pathname, { method: 'HEAD', cache: 'no-store' });
    trouble.hidden = status < 500;
    if (status < 500 && headers.get('${REPORT_STATE_HEADER}') !== 'live') location.reload();
  } catch {
    trouble.hidden = false;
  }
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return source.close();
  watch();
  look();
});
watch();
setInterval(look, ${LOOKED_EVERY_MS});
`;
