/**
 * The documents that browsers load. They name the scripts and styles of their pages, and contain the responses that the
 * first screen needs, as data that never runs.
 */
import type { ErrorCode, Operation } from '@svc/contract';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Entry, PageName, WebBuild } from './web-build.ts';

/** Own scripts and styles only, nothing inline, no framing, and no way for a script to write markup. */
const directives = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

const policies: Readonly<Record<Entry, string>> = {
  // Allows one worker, which reads dropped files. Starting it needs a Trusted Types policy of this name.
  app: [...directives, "worker-src 'self'", 'trusted-types svc-worker'].join('; '),
  share: [...directives, "trusted-types 'none'"].join('; '),
};

export interface DocumentParts extends WebBuild {
  /** Who may sign up; `open` when absent. */
  readonly signUp?: 'open' | 'invited' | 'closed';
}

/** What the page needs first: a response of the API, the first screen of a report, or the programs to install. */
export interface FirstAnswer {
  readonly name: Operation | 'firstScreen' | 'programs';
  readonly input?: unknown;
  /** Null when the API would return an error. */
  readonly body: unknown;
  /** The first page of a list that the page continues. */
  readonly isFirstPage?: boolean;
  readonly rejection?: FirstRejection;
}

export interface FirstRejection {
  readonly code: ErrorCode;
  readonly retryAfterMs: number | null;
}

/**
 * True when a browser says that it opens the address in a window. Only then does a document hold anything of a report:
 * link previews, frames, fetches and prefetches get none of it. Over plain HTTP, browsers send `Sec-Fetch-Dest` to
 * localhost only; elsewhere the page loads its data from the API.
 */
export function opensInWindow({ headers }: FastifyRequest): boolean {
  const purpose = headers['sec-purpose'] ?? headers['purpose'];
  return purpose === undefined && headers['sec-fetch-dest'] === 'document';
}

export function sendDocument(
  reply: FastifyReply,
  build: DocumentParts,
  entry: Entry,
  firstData: readonly FirstAnswer[],
  page?: PageName,
): FastifyReply {
  return reply
    .headers(documentHeaders[entry])
    .type('text/html; charset=utf-8')
    .send(documentOf(build, entry, firstData, page));
}

const headersWith = (policy: string) => ({
  'content-security-policy': policy,
  'cross-origin-opener-policy': 'same-origin',
});

export const documentHeaders = { app: headersWith(policies.app), share: headersWith(policies.share) };

/** The request headers that decide whether a document holds a report's first screen, and whose. */
export const varyOfReports = {
  vary: 'accept-encoding, cookie, purpose, sec-fetch-dest, sec-purpose',
};

export function documentOf(
  build: DocumentParts,
  entry: Entry,
  firstData: readonly FirstAnswer[],
  page?: PageName,
): string {
  const { before, after } = documentAround(build, entry, page);
  return [before, inertJson(firstData), after].join('');
}

/**
 * The document around the first data. Its title says nothing about the page, because it is rendered before permissions
 * are checked.
 */
export function documentAround(
  { entries, early, pages, icon, signUp = 'open' }: DocumentParts,
  entry: Entry,
  page?: PageName,
): { before: string; after: string } {
  const { script, styles, preloads } = entries[entry];
  const ofPage = (page && pages?.[page]) ?? [];
  const lines = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    // The first file, so that it runs while the others load.
    `<script type="module" async src="${early}"></script>`,
    '<meta name="robots" content="noindex">',
    ...(signUp === 'open' ? [] : [`<meta name="svc-signup" content="${signUp}">`]),
    '<title>svc</title>',
    `<link rel="icon" href="${icon}" type="image/svg+xml">`,
    ...styles.map((style) => `<link rel="stylesheet" href="${style}">`),
    ...[...preloads, ...ofPage].map((module) => `<link rel="modulepreload" href="${module}">`),
    `<script type="module" src="${script}"></script>`,
    '</head>',
    '<body>',
    '<div id="root"></div>',
    '<noscript>svc needs JavaScript to show this page.</noscript>',
    '<script type="application/json" id="first-data">',
  ];
  return { before: lines.join('\n'), after: '</script>\n</body>\n</html>' };
}

/** JSON in which no HTML parser finds the end of the element or a comment. */
export function inertJson(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', String.raw`\u003c`);
}
