/**
 * Why a bucket cannot be used, for the operator. Contains nothing from the store's response, except the name of an
 * error.
 */
import { BlobDamagedError } from './blobs.ts';
import { FinalError } from './bounded-calls.ts';

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'there is no such host',
  TimeoutError: 'it does not respond in time',
  NoSuchBucket: 'there is no such bucket',
  NotFound: 'there is no such bucket',
  AccessDenied: 'these credentials may not do that',
  InvalidAccessKeyId: 'it does not know this AWS_ACCESS_KEY_ID',
  SignatureDoesNotMatch: 'AWS_SECRET_ACCESS_KEY does not belong to this AWS_ACCESS_KEY_ID',
  ExpiredToken: 'the credentials have expired',
  InvalidToken: 'it rejects AWS_SESSION_TOKEN',
  CredentialsProviderError: 'there are no credentials: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY',
  PermanentRedirect: 'the bucket is in another region',
  AuthorizationHeaderMalformed: 'the bucket is in another region',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
};

export function s3ReasonInWords(error: unknown): string {
  if (error instanceof FinalError || error instanceof BlobDamagedError) return error.message;
  const { message, cause } = error as Error;
  const { code, name } = (cause ?? error) as { code?: string; name: string };
  const known = [code ?? '', name].find((each) => Object.hasOwn(REASONS, each));
  // The message says what failed, after how many attempts, and the name of the error.
  return known === undefined ? message : `${REASONS[known]}, ${known}`;
}
