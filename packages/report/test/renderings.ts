/** Everything that is rendered from a share's projection: all exports with their file names, and the first screen. */
import { exportFormats, type ExportFormat, type ReportProjection } from '@svc/contract';
import { contentDispositionOf, fileNameOf } from '../src/render/file-name.ts';
import { renderFirstScreen } from '../src/render/first-screen.ts';
import { renderHtml } from '../src/render/html.ts';
import { renderJson } from '../src/render/json.ts';
import { renderMarkdown } from '../src/render/markdown.ts';
import { renderSarif } from '../src/render/sarif.ts';

const renderers: Readonly<Record<ExportFormat, (projection: ReportProjection) => string>> = {
  html: renderHtml,
  json: renderJson,
  markdown: renderMarkdown,
  sarif: renderSarif,
};

/**
 * The renderings by name: each format, SARIF for GitHub's code scanning, the first screen, and the header of each
 * download.
 */
export function renderingsOf(projection: ReportProjection): Readonly<Record<string, string>> {
  const renderings: Record<string, string> = {
    'sarif for github': renderSarif(projection, { profile: 'github' }),
    'first screen': renderFirstScreen(projection),
  };
  for (const format of exportFormats) {
    renderings[format] = renderers[format](projection);
    renderings[`name of ${format}`] = contentDispositionOf(fileNameOf(projection, format));
  }
  return renderings;
}
