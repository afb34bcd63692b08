/** Reads `BLOB_URL` and the standard variables around it. Does not load the client, because every start reads these. */

export interface S3Place {
  readonly bucket: string;
  /** Empty, or ends with a slash. */
  readonly prefix: string;
  /** Null means AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  /** Null means that the client looks for credentials as AWS's programs do: in files, or from the metadata service. */
  readonly credentials: S3Credentials | null;
}

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
}

export type S3Address = Pick<S3Place, 'bucket' | 'prefix' | 'endpoint'> & {
  readonly region: string | null;
};

export const s3AddressWanted =
  'an address such as s3://bucket/prefix?endpoint=https://storage.example.com&region=eu-central-1, or unset for files in DATA_DIR';

const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w./-]{0,500}))?(?:\?(.*))?$/;
const REGION = /^[a-z0-9-]{1,64}$/;
/** What servers other than AWS accept when their operator has not named a region. */
const REGION_OF_OTHERS = 'us-east-1';

/** Undefined for an address that cannot be used. */
export function parseS3Address(value: string): S3Address | undefined {
  const [, bucket, path = '', query = ''] = ADDRESS.exec(value) ?? [];
  if (bucket === undefined) return undefined;
  const folders = path.replace(/\/$/, '');
  if (folders !== '' && folders.split('/').some((folder) => /^\.*$/.test(folder))) return undefined;
  const parameters = new URLSearchParams(query);
  const names = [...parameters.keys()];
  const isKnown = names.every((name) => name === 'endpoint' || name === 'region');
  if (!isKnown || new Set(names).size < names.length) return undefined;
  const region = parameters.get('region');
  const endpoint = parameters.get('endpoint');
  if (region !== null && !REGION.test(region)) return undefined;
  if (endpoint !== null && !isEndpoint(endpoint)) return undefined;
  return {
    bucket,
    prefix: folders === '' ? '' : `${folders}/`,
    endpoint: endpoint === null ? null : new URL(endpoint).origin,
    region,
  };
}

function isEndpoint(value: string): boolean {
  return /^https?:\/\/[\w.:[\]-]+\/?$/i.test(value) && URL.canParse(value);
}

/** An address with what the environment adds to it, or the lines that say what is missing or wrong. */
export function completeS3Place(
  address: S3Address,
  environment: Readonly<Record<string, string | undefined>>,
): { readonly place: S3Place } | { readonly problems: readonly string[] } {
  const valueOf = (name: string) => environment[name]?.trim() || undefined;
  const region =
    address.region ?? valueOf('AWS_REGION') ?? (address.endpoint === null ? undefined : REGION_OF_OTHERS);
  const accessKeyId = valueOf('AWS_ACCESS_KEY_ID');
  const secretAccessKey = valueOf('AWS_SECRET_ACCESS_KEY');
  const sessionToken = valueOf('AWS_SESSION_TOKEN');
  const problems: string[] = [];
  if (region === undefined)
    problems.push('BLOB_URL: names no region. Add ?region=eu-central-1 or set AWS_REGION.');
  else if (!REGION.test(region))
    problems.push('AWS_REGION: not the name of a region. Set one such as eu-central-1.');
  if ((accessKeyId === undefined) !== (secretAccessKey === undefined))
    problems.push(
      `${accessKeyId === undefined ? 'AWS_ACCESS_KEY_ID' : 'AWS_SECRET_ACCESS_KEY'}: is unset, but the other half of the key is set. Set both, or neither.`,
    );
  if (region === undefined || problems.length > 0) return { problems };
  const { bucket, prefix, endpoint } = address;
  const credentials =
    accessKeyId === undefined || secretAccessKey === undefined
      ? null
      : { accessKeyId, secretAccessKey, ...(sessionToken === undefined ? {} : { sessionToken }) };
  return { place: { bucket, prefix, endpoint, region, credentials } };
}

/** Contains no secret. */
export function s3PlaceInWords({ bucket, prefix, endpoint }: S3Place): string {
  return `s3://${bucket}/${prefix}${endpoint === null ? '' : ` at ${endpoint}`}`;
}
