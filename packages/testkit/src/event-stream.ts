/** Reads a stream of server-sent events like a browser, with an independent parser. */
import { get, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface WatchOptions {
  /** The value of the Cookie header. */
  readonly cookie?: string;
  readonly lastEventId?: string | undefined;
  readonly resume?: boolean;
}

export interface Watch {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything received so far, in order. */
  readonly events: readonly EventSourceMessage[];
  /** The number of heartbeats received so far. */
  readonly comments: () => number;
  /** The value of `retry`. */
  readonly retryMs: () => number | undefined;
  /** How the stream ended; null while it is open. */
  readonly ending: () => 'ended' | 'broken' | null;
  /** The received text, unparsed. */
  readonly text: () => string;
  /** Resolves once the condition holds; rejects if the stream ends first. */
  until(holds: () => boolean): Promise<void>;
  /** Resolves once the stream is over. */
  untilOver(): Promise<void>;
  /** Pauses or resumes reading. */
  pause(): void;
  resume(): void;
  /** Aborts the connection. */
  abort(): void;
}

/** Resolves when the response headers have arrived. */
export async function watchEvents(url: string, reportId: string, options: WatchOptions = {}): Promise<Watch> {
  const { cookie, lastEventId, resume = false } = options;
  const address = `${url}/api/v1/reports/${reportId}/events${resume ? '?resume=1' : ''}`;
  const headers = {
    accept: 'text/event-stream',
    ...(cookie === undefined ? {} : { cookie }),
    ...(lastEventId === undefined ? {} : { 'last-event-id': lastEventId }),
  };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(address, { headers, agent: false }, resolve).on('error', reject);
  });
  return watchOf(response);
}

function watchOf(response: IncomingMessage): Watch {
  const events: EventSourceMessage[] = [];
  const waiting = new Set<() => void>();
  let comments = 0;
  let retryMs: number | undefined;
  let text = '';
  let ending: 'ended' | 'broken' | null = null;
  const wake = () => waiting.forEach((look) => look());
  const parser = createParser({
    onEvent: (event) => void events.push(event),
    onComment: () => (comments += 1),
    onRetry: (ms) => (retryMs = ms),
  });
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => {
    text += chunk;
    parser.feed(chunk);
    wake();
  });
  response.once('close', () => {
    ending = response.complete ? 'ended' : 'broken';
    wake();
  });
  response.on('error', () => undefined);

  function until(holds: () => boolean, orOver: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (!holds() && ending === null) return;
        waiting.delete(look);
        if (holds() || orOver) resolve();
        else reject(new Error(`the stream is over (${ending}) after ${events.length} events`));
      };
      waiting.add(look);
      look();
    });
  }

  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    events,
    comments: () => comments,
    retryMs: () => retryMs,
    ending: () => ending,
    text: () => text,
    until: (holds) => until(holds, false),
    untilOver: () => until(() => false, true),
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    abort: () => void response.destroy(),
  };
}
