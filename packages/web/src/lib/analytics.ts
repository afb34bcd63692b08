/**
 * Sends usage events, which contain only enum values, ids and times (docs/ANALYTICS.md). They are sent some seconds
 * later when the browser is idle, or earlier when the page is hidden or `EVENTS_MAX` are queued. Events that fail to
 * send are dropped, and nothing waits for them.
 */
import type { AnalyticsEvent, AnalyticsName } from '@svc/contract';
import { browserStore } from './browser-storage.ts';

type About = Pick<AnalyticsEvent, 'workspaceId' | 'projectId' | 'reportId' | 'format'>;

const ADDRESS = '/api/v1/analytics/events';
const CHOICE = 'svc-analytics';
const AFTER_MS = 5000;
/** The maximum that the service accepts in one request. */
const EVENTS_MAX = 50;

let waiting: AnalyticsEvent[] = [];
let timer: ReturnType<typeof setTimeout> | undefined;
let isListening = false;

/** Queues an event. Callers need not know whether counting is on. */
export function recordEvent(name: AnalyticsName, about: About = {}): void {
  if (countingDisabledBy() !== null) return;
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

/** What turned counting off: the browser’s signal, its blocked storage, or the person; null if counting is on. */
export function countingDisabledBy(): 'signal' | 'storage' | 'person' | null {
  if (asksNotToBeTracked()) return 'signal';
  // A choice that can’t be kept counts as the choice against it.
  if (!browserStore.isLasting()) return 'storage';
  return browserStore.get(CHOICE) === 'off' ? 'person' : null;
}

/** Stores the choice of the user of this browser. */
export function setCounting(isOn: boolean): void {
  browserStore.set(CHOICE, isOn ? 'on' : 'off');
  if (!isOn) discardEvents();
}

/** Drops the queued events, for instance when another user signs in. */
export function discardEvents(): void {
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
  // Some browsers lack requestIdleCallback.
  if ('requestIdleCallback' in window) requestIdleCallback(send);
  else send();
}

function send(): void {
  clearTimeout(timer);
  timer = undefined;
  if (waiting.length === 0) return;
  const body = JSON.stringify({ events: waiting });
  waiting = [];
  // Does not use the client: an ended session must not open the sign-in dialog. `keepalive` lets the request outlive
  // the page.
  fetch(ADDRESS, {
    method: 'POST',
    keepalive: true,
    headers: { 'content-type': 'application/json' },
    body,
  }).catch(() => undefined);
}

/** A UUID; `crypto.randomUUID` is missing on plain HTTP. */
function newId(): string {
  const hex = [...crypto.getRandomValues(new Uint8Array(16))]
    .map((byte) => byte.toString(16).padStart(2, '0'))
    .join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`;
}
