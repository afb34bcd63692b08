/** The renderers, each loaded when its format is requested. */
import type { ExportFormat, ReportProjection } from '@svc/contract';
import type { RenderContext } from '@svc/report/render/context';

export interface Rendering extends RenderContext {
  readonly profile?: 'github';
}

type Render = (projection: ReportProjection, rendering: Rendering) => string;

const renderers: Readonly<Record<ExportFormat, () => Promise<Render>>> = {
  html: async () => (await import('@svc/report/render/html')).renderHtml,
  json: async () => (await import('@svc/report/render/json')).renderJson,
  markdown: async () => (await import('@svc/report/render/markdown')).renderMarkdown,
  sarif: async () => (await import('@svc/report/render/sarif')).renderSarif,
};

export async function rendered(
  format: ExportFormat,
  projection: ReportProjection,
  rendering: Rendering,
): Promise<string> {
  const render = await renderers[format]();
  return render(projection, rendering);
}
