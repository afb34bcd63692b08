/**
 * A report as one self-contained HTML document: no script, no other file, and no request when it is read. It is made
 * to be mailed, kept and printed.
 *
 * The document depends on the projection and the context alone, so hidden parts leave no trace in it: what the
 * projection lacks has no block, no heading and no placeholder here. Its content security policy allows one style
 * sheet, by digest, so even markup that broke out of a text could neither run nor load anything.
 */
import type { ReportProjection } from '@svc/contract';
import { worstFirst } from '../reading/labels.ts';
import type { RenderContext } from './context.ts';
import { appendixHtml } from './html/appendix.ts';
import { createCodeWriter } from './html/code.ts';
import { contentsParts } from './html/contents.ts';
import { coverHtml } from './html/cover.ts';
import { findingParts } from './html/finding.ts';
import { legendHtml } from './html/legend.ts';
import { scopeHtml } from './html/scope.ts';
import { contentPolicy, stylesheet } from './html/stylesheet.ts';
import { summaryHtml } from './html/summary.ts';
import { constantMarkup, markup, type Html } from './html/template.ts';

/** In longer documents, an article is laid out only when it comes into view. */
const LAID_OUT_AT_ONCE_MAX = 50;

/** One self-contained document. */
export function renderHtml(projection: ReportProjection, context: RenderContext = {}): string {
  return [...htmlParts(projection, context)].join('');
}

/** The document in pieces, for writing: a text concatenated from a million pieces is slow to read. */
export function* htmlParts(projection: ReportProjection, context: RenderContext = {}): Generator<string> {
  const findings = worstFirst(projection.findings ?? []);
  yield headHtml(projection, context, findings.length).toString();
  yield summaryHtml(projection)?.toString() ?? '';
  if (findings.length > 0) {
    yield* contentsParts(findings);
    yield legendHtml.toString();
    yield* findingsParts(findings, context);
  }
  yield markup`
${scopeHtml(projection)}${appendixHtml(projection)}</main>
${colophonHtml(projection)}
</body>
</html>
`.toString();
}

function headHtml(projection: ReportProjection, context: RenderContext, findingCount: number): Html {
  const name = projection.project?.name;
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta name="robots" content="noindex">
<title>${name ? `${name}: security report` : 'Security report'}</title>
<style>${constantMarkup(stylesheet)}</style>
</head>
<body>
${coverHtml(projection, context)}
<main${findingCount > LAID_OUT_AT_ONCE_MAX ? constantMarkup(' class="long"') : undefined}>
`;
}

type Findings = NonNullable<ReportProjection['findings']>;

function* findingsParts(findings: Findings, context: RenderContext): Generator<string> {
  const code = createCodeWriter();
  yield '<section aria-labelledby="findings"><h2 id="findings">Findings</h2>\n';
  for (const finding of findings) {
    for (const part of findingParts(finding, context, code)) if (part) yield part.toString();
  }
  yield '</section>\n';
}

function colophonHtml({ id, schemaVersion }: ReportProjection): Html {
  return markup`<footer>Report <code>${id}</code>, schema ${schemaVersion}</footer>`;
}
