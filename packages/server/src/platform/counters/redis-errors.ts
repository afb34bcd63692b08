/** What errors of Redis and of its client mean. */
import { reasonInWords } from '../shown-address.ts';

interface RedisError extends Error {
  readonly code?: string;
  /** The command that an error reply answers. */
  readonly command?: { readonly name: string };
}

/** The first word of an error reply, such as `READONLY`; undefined for an error of the client or the network. */
export function replyCode({ name, message }: Error): string | undefined {
  if (name !== 'ReplyError') return undefined;
  return /^[A-Z]+(?= )/.exec(message)?.[0] ?? 'ERR';
}

export function isOfSelect({ command }: RedisError): boolean {
  return command?.name === 'select';
}

export function isTimeout({ message }: Error): boolean {
  return /timed out|timeout/i.test(message);
}

/** Why Redis cannot be used, without anything from the address. */
export function redisReasonInWords(error: RedisError): string {
  if (isOfSelect(error)) return 'it has no database with that number';
  if (isTimeout(error)) return 'it does not answer in time';
  const code = replyCode(error);
  return reasonInWords(code === undefined ? error : { message: '', code });
}
