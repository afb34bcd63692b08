/** The checks of every response: the guarantees of the API that hold for any request. */
import { errorCodes, errors, type ErrorCode } from '@svc/contract';
import type { ParsedAnswer } from './answer-parser.ts';
import type { ExchangeOutcome } from './exchange.ts';
import type { Shot } from './shot.ts';

const CACHE_CONTROL = 'private, no-store, must-revalidate';
const REQUEST_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const ENVELOPE_FIELDS = new Set(['code', 'message', 'requestId', 'details']);

/** The violations as text; empty if there are none. */
export function problemsOf(shot: Shot, outcome: ExchangeOutcome): string[] {
  const finals = outcome.answers.filter(({ status }) => status >= 200);
  const problems = finals.flatMap((answer, index) => problemsOfAnswer(answer, shot.methods[index] ?? 'GET'));
  problems.push(...problemsOfContinue(shot, outcome.answers));
  if (outcome.framingError !== null) problems.push(`the bytes of the response: ${outcome.framingError}`);
  if (finals.length < shot.required) {
    problems.push(
      `${finals.length} responses instead of ${shot.required}, and the connection ${outcome.closed ? 'closed' : 'open'}`,
    );
  }
  if (finals.length > shot.most) problems.push(`${finals.length} responses instead of at most ${shot.most}`);
  const closing = finals.findIndex(({ headers }) => headers.get('connection') === 'close');
  if (closing >= 0 && finals.length > closing + 1)
    problems.push('a response after one that closes the connection');
  if (closing >= 0 && !outcome.closed)
    problems.push('the connection stays open after a response that closes it');
  if (shot.mustClose) problems.push(...problemsOfClosing(finals, outcome));
  for (const [index, status] of (shot.statuses ?? []).entries()) {
    const got = finals[index]?.status;
    if (got !== status) problems.push(`response ${index + 1} has status ${got}, not ${status}`);
  }
  return problems;
}

function problemsOfClosing(finals: readonly ParsedAnswer[], outcome: ExchangeOutcome): string[] {
  const problems = [];
  if (!outcome.closed) problems.push('the connection stays open though the framing is in doubt');
  const last = finals.at(-1);
  if (last && last.status < 400) problems.push(`${last.status} to a request whose framing is in doubt`);
  return problems;
}

/** `100 Continue` is sent only if requested, once, and not before a rejection that needed no body. */
function problemsOfContinue({ mayContinue }: Shot, answers: readonly ParsedAnswer[]): string[] {
  return answers.flatMap((answer, index) => {
    if (answer.status >= 200) return [];
    if (answer.status !== 100) return [`an interim response ${answer.status}`];
    const next = answers[index + 1];
    if (!mayContinue) return ['100 Continue to a request that did not ask'];
    if (next && (next.status < 200 || !mayContinue(next.status)))
      return [`100 Continue before ${next.status}`];
    return [];
  });
}

function problemsOfAnswer(answer: ParsedAnswer, method: string): string[] {
  const { status, headers } = answer;
  const problems: string[] = [];
  if (status >= 500) problems.push(`status ${status}`);
  if (headers.get('cache-control') !== CACHE_CONTROL)
    problems.push(`cache-control: ${headers.get('cache-control')}`);
  if (!REQUEST_ID.test(headers.get('x-request-id') ?? ''))
    problems.push(`x-request-id: ${headers.get('x-request-id')}`);
  if (status >= 400 && method !== 'HEAD' && !isPage(answer)) problems.push(...problemsOfEnvelope(answer));
  return problems;
}

/** Pages return "not found" as HTML, and no other error. */
function isPage({ status, headers }: ParsedAnswer): boolean {
  return status === 404 && (headers.get('content-type') ?? '').startsWith('text/html');
}

function problemsOfEnvelope({ status, headers, body }: ParsedAnswer): string[] {
  const type = headers.get('content-type');
  if (type !== 'application/json; charset=utf-8') return [`status ${status} with content-type ${type}`];
  const error = errorIn(body);
  if (!error) return [`status ${status} without the error envelope`];
  const problems: string[] = [];
  const extra = Object.keys(error).filter((name) => !ENVELOPE_FIELDS.has(name));
  if (extra.length > 0) problems.push(`unknown fields in the error: ${extra.join(', ')}`);
  if (typeof error['message'] !== 'string' || error['message'] === '')
    problems.push('an error without a message');
  if (error['requestId'] !== headers.get('x-request-id'))
    problems.push('requestId differs from x-request-id');
  const code = errorCodes.find((known): known is ErrorCode => known === error['code']);
  if (code === undefined) problems.push(`an unknown code ${JSON.stringify(error['code'])}`);
  else if (!(errors[code].statuses ?? [errors[code].status]).includes(status))
    problems.push(`${code} with status ${status}`);
  return problems;
}

function errorIn(body: Buffer): Record<string, unknown> | null {
  try {
    const content = JSON.parse(body.toString()) as { error?: unknown } | null;
    const { error } = content ?? {};
    return typeof error === 'object' && error !== null ? { ...error } : null;
  } catch {
    return null;
  }
}
