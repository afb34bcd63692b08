import { describe, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import type { StartError } from './start-error.ts';

const COLLECTOR = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

const tracingOf = (environment: Record<string, string>) => readConfig(environment).tracing;

function linesOf(environment: Record<string, string>): readonly string[] {
  try {
    readConfig({ ...COLLECTOR, ...environment });
    return [];
  } catch (error) {
    return (error as StartError).lines;
  }
}

describe('the collector', () => {
  test.each([
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/traces'],
    ['http://127.0.0.1:4318/', 'http://127.0.0.1:4318/v1/traces'],
    ['https://otel.example.com/base', 'https://otel.example.com/base/v1/traces'],
  ])('%s gets traces at %s', (endpoint, url) => {
    expect(tracingOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })?.url).toBe(url);
  });

  test('for traces is used unchanged, instead of the general one', () => {
    const traces = 'http://127.0.0.1:9/custom';
    expect(tracingOf({ ...COLLECTOR, OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: traces })?.url).toBe(traces);
  });

  test('when absent, means no traces, even if other variables are set', () => {
    expect(tracingOf({ OTEL_SERVICE_NAME: 'svc', OTEL_TRACES_SAMPLER: 'nonsense' })).toBeNull();
  });

  test.each([{ OTEL_SDK_DISABLED: 'true' }, { OTEL_TRACES_EXPORTER: 'none' }])(
    '%j means no traces',
    (given) => {
      expect(tracingOf({ ...COLLECTOR, ...given })).toBeNull();
    },
  );

  test.each(['ftp://a', '127.0.0.1:4318', 'http://', 'http://a/?b=c', 'http://a/#b'])(
    'cannot be %s',
    (endpoint) => {
      expect(linesOf({ OTEL_EXPORTER_OTLP_ENDPOINT: endpoint })).toHaveLength(1);
    },
  );
});

describe('the settings', () => {
  test('have defaults', () => {
    expect(tracingOf(COLLECTOR)).toEqual({
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      serviceName: 'svc',
      resourceAttributes: {},
      sampler: 'parentbased_always_on',
      samplerRatio: 1,
      acceptsContext: false,
    });
  });

  test('the name of the service may be one of the resource attributes', () => {
    expect(tracingOf({ ...COLLECTOR, OTEL_RESOURCE_ATTRIBUTES: 'service.name=a%20b, x=y' })).toMatchObject({
      serviceName: 'a b',
      resourceAttributes: { 'service.name': 'a b', x: 'y' },
    });
  });

  test.each([
    ['OTEL_SDK_DISABLED', 'yes'],
    ['OTEL_TRACES_EXPORTER', 'console'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'http/json'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'authorization: secret-of-a-test'],
    ['OTEL_EXPORTER_OTLP_HEADERS', 'a=secret-of-a-test%0d%0ab'],
    ['OTEL_EXPORTER_OTLP_TRACES_HEADERS', '=secret-of-a-test'],
    ['OTEL_RESOURCE_ATTRIBUTES', 'a'],
    ['OTEL_SERVICE_NAME', 'a\tb'],
    ['OTEL_TRACES_SAMPLER', 'jaeger_remote'],
    ['OTEL_TRACES_SAMPLER_ARG', '1.5'],
    ['OTEL_TRACES_SAMPLER_ARG', '50%'],
    ['TRACE_CONTEXT', 'yes'],
  ])('%s cannot be %j, and one line says so without the value', (name, value) => {
    const lines = linesOf({ [name]: value });
    expect(lines).toEqual([expect.stringMatching(new RegExp(`^${name}: must be `))]);
    expect(lines.join()).not.toContain('secret');
  });
});
