/**
 * Tells the service what is done on the pages, in words from a fixed list (docs/ANALYTICS.md). Some seconds later, when the
 * browser has nothing else to do, or when the page is left; what does not get through is forgotten. Nothing waits for it.
 */
import type { AnalyticsEvent, AnalyticsName } from '@svc/contract';

type About = Pick<AnalyticsEvent, 'workspaceId' | 'projectId' | 'reportId' | 'format'>;

const ADDRESS = '/api/v1/analytics/events';
const CHOICE = 'svc-analytics';
const AFTER_MS = 5000;
/** As many as the service takes at once. */
const EVENTS_MAX = 50;

let waiting: AnalyticsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isListening = false;

/** Only notes it; the same for whoever calls, whether it is counted or not. */
export function happened(name: AnalyticsName, about: About = {}): void {
  if (refusedBy() !== null) return;
  waiting.push({
    eventId: newId(),
    name,
    occurredAt: new Date().toISOString(),
    surface: 'web',
    ...about,
  });
  if (waiting.length >= EVENTS_MAX) return send();
  listen();
  timer ??= setTimeout(sendWhenIdle, AFTER_MS);
}

/** Who says that nothing is counted; null when it is. */
export function refusedBy(): 'browser' | 'person' | null {
  if (asksNotToBeTracked()) return 'browser';
  try {
    return localStorage.getItem(CHOICE) === 'off' ? 'person' : null;
  } catch {
    // Who keeps nothing in this browser can not have chosen, and is not counted.
    return 'browser';
  }
}

/** The choice of whoever uses this browser. */
export function chooseCounting(isOn: boolean): void {
  localStorage.setItem(CHOICE, isOn ? 'on' : 'off');
  if (!isOn) forgetHappenings();
}

/** When somebody else is at the keyboard. */
export function forgetHappenings(): void {
  waiting = [];
}

function asksNotToBeTracked(): boolean {
  const { globalPrivacyControl, doNotTrack } = navigator as Navigator & {
    readonly globalPrivacyControl?: boolean;
    readonly doNotTrack?: string | null;
  };
  return globalPrivacyControl === true || doNotTrack === '1';
}

function listen(): void {
  if (isListening) return;
  isListening = true;
  addEventListener('pagehide', send);
  document.addEventListener('visibilitychange', () => {
    if (document.visibilityState === 'hidden') send();
  });
}

function sendWhenIdle(): void {
  // Not every browser tells when it is idle.
  if ('requestIdleCallback' in window) requestIdleCallback(send);
  else send();
}

function send(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.length === 0) return;
  const body = JSON.stringify({ events: waiting });
  waiting = [];
  // Not as other calls are made: nobody is asked to sign in for it. It is finished though the page goes.
  fetch(ADDRESS, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body,
  }).catch(() => undefined);
}

/** A UUID; `crypto.randomUUID` is missing where the address is not encrypted. */
function newId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
