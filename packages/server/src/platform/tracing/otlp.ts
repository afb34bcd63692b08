/** Traces to a collector, by OTLP over HTTP. Loaded only if the operator names a collector. */
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { defaultResource, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
  type Sampler,
} from '@opentelemetry/sdk-trace';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { createBoundedExport, defaultExportBounds, type ExportBounds } from './bounded-export.ts';
import { createSpans } from './spans.ts';
import type { Tracing } from './tracing.ts';
import type { SamplerName, TracingSettings } from './tracing-settings.ts';

export interface OtlpPorts {
  readonly version: string;
  readonly log: Log;
  readonly metrics: Metrics;
}

export function openOtlpTracing(
  settings: TracingSettings,
  { version, log, metrics }: OtlpPorts,
  bounds: ExportBounds = defaultExportBounds,
): Tracing {
  const exporter = new OTLPTraceExporter({
    url: settings.url,
    headers: { ...settings.headers },
    timeoutMillis: bounds.sendMs,
    concurrencyLimit: 2,
  });
  const { processor, close } = createBoundedExport(exporter, { log, metrics }, bounds);
  const provider = new TracerProvider({
    resource: defaultResource().merge(
      resourceFromAttributes({
        'service.version': version,
        ...settings.resourceAttributes,
        'service.name': settings.serviceName,
      }),
    ),
    sampler: samplerOf(settings.sampler, settings.samplerRatio),
    spanProcessors: [processor],
  });
  return createSpans({
    tracer: provider.getTracer('svc', version),
    acceptsContext: settings.acceptsContext,
    close,
  });
}

function samplerOf(name: SamplerName, ratio: number): Sampler {
  switch (name) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}
