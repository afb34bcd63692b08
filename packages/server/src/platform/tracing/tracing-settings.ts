/** Where traces go and which are sent, from the standard variables of OpenTelemetry. */
export interface TracingSettings {
  /** The URL to which spans are posted. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly resourceAttributes: Readonly<Record<string, string>>;
  readonly sampler: SamplerName;
  /** The part of traces that samplers with a ratio choose. */
  readonly samplerRatio: number;
  /** Whether requests may name the trace to which they belong. */
  readonly acceptsContext: boolean;
}

export type SamplerName = (typeof samplerNames)[number];
const samplerNames = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

const PROTOCOL = 'http/protobuf';
const PAIRS_MAX = 64;

/** The addresses in the configuration. `traces` is used unchanged, and replaces `base`. */
export interface CollectorAddresses {
  readonly base: string | null;
  readonly traces: string | null;
}

export const collectorWanted = 'an address such as http://127.0.0.1:4318, without a query';

export function parseCollector(value: string): string | undefined {
  if (!/^https?:\/\/[!-~]{1,1000}$/.test(value) || !URL.canParse(value)) return undefined;
  const { search, hash } = new URL(value);
  return search === '' && hash === '' ? value : undefined;
}

/** Null without a collector, or when the operator turned traces off. */
export function completeTracing(
  { base, traces }: CollectorAddresses,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly settings: TracingSettings | null } | { readonly problems: readonly string[] } {
  const url = traces ?? (base === null ? null : `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === null) return { settings: null };
  const problems: string[] = [];

  /** An empty value counts as unset. The value is not shown, because headers are secret. */
  function read<T>(name: string, fallback: T, wanted: string, parse: (value: string) => T | undefined): T {
    const value = environment[name]?.trim();
    if (value === undefined || value === '') return fallback;
    const parsed = parse(value);
    if (parsed === undefined) problems.push(`${name}: must be ${wanted}.`);
    return parsed ?? fallback;
  }
  const oneOf = <Name extends string>(name: string, names: readonly Name[], fallback: Name) =>
    read(name, fallback, names.length === 1 ? fallback : `one of ${names.join(', ')}`, (value) =>
      names.find((each) => each === value),
    );

  const isDisabled = oneOf('OTEL_SDK_DISABLED', ['true', 'false'], 'false') === 'true';
  const exporter = oneOf('OTEL_TRACES_EXPORTER', ['otlp', 'none'], 'otlp');
  oneOf(
    'OTEL_EXPORTER_OTLP_TRACES_PROTOCOL',
    [PROTOCOL],
    oneOf('OTEL_EXPORTER_OTLP_PROTOCOL', [PROTOCOL], PROTOCOL),
  );
  const pairs = 'key=value pairs separated by commas, with percent-encoded values';
  const attributes = read('OTEL_RESOURCE_ATTRIBUTES', {}, pairs, parsePairs);
  const settings: TracingSettings = {
    url,
    headers: {
      ...read('OTEL_EXPORTER_OTLP_HEADERS', {}, pairs, parsePairs),
      ...read('OTEL_EXPORTER_OTLP_TRACES_HEADERS', {}, pairs, parsePairs),
    },
    serviceName: read(
      'OTEL_SERVICE_NAME',
      attributes['service.name'] ?? 'svc',
      'a name of at most 100 printable characters',
      (value) => (/^[ -~]{1,100}$/.test(value) ? value : undefined),
    ),
    resourceAttributes: attributes,
    sampler: oneOf('OTEL_TRACES_SAMPLER', samplerNames, 'parentbased_always_on'),
    samplerRatio: read('OTEL_TRACES_SAMPLER_ARG', 1, 'a number from 0 to 1', (value) =>
      /^\d?(?:\.\d{1,15})?$/.test(value) && Number(value) <= 1 ? Number(value) : undefined,
    ),
    acceptsContext: oneOf('TRACE_CONTEXT', ['ignored', 'accepted'], 'ignored') === 'accepted',
  };
  if (problems.length > 0) return { problems };
  return { settings: isDisabled || exporter === 'none' ? null : settings };
}

function parsePairs(value: string): Record<string, string> | undefined {
  const pairs = value.split(',').map((pair) => {
    const at = pair.indexOf('=');
    return [pair.slice(0, Math.max(at, 0)).trim(), decoded(pair.slice(at + 1).trim())] as const;
  });
  const isValid = pairs.every(([key, text]) => KEY.test(key) && text !== undefined);
  return isValid && pairs.length <= PAIRS_MAX
    ? (Object.fromEntries(pairs) as Record<string, string>)
    : undefined;
}

/** The characters of a header's name. */
const KEY = /^[!#$%&'*+.^_`|~\w-]{1,100}$/;

/** Undefined for text that no header can hold. */
function decoded(value: string): string | undefined {
  try {
    const text = decodeURIComponent(value);
    return /^[ -~]{0,1000}$/.test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}
