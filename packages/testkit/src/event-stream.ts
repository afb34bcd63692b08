/** A stream of server-sent events as a browser reads it, with a parser that is not ours. */
import { get, type IncomingMessage } from 'node:http';
import { createParser, type EventSourceMessage } from 'eventsource-parser';

export interface WatchOptions {
  /** As in a Cookie header. */
  readonly cookie?: string;
  readonly lastEventId?: string | undefined;
  readonly resume?: boolean;
}

export interface Watch {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything received so far, in order. */
  readonly events: readonly EventSourceMessage[];
  /** Heartbeats received so far. */
  readonly comments: () => number;
  /** What the server asked for with `retry`. */
  readonly retryMs: () => number | undefined;
  /** How the stream ended; null while it goes on. */
  readonly ending: () => 'ended' | 'broken' | null;
  /** The text that was received, as it was. */
  readonly text: () => string;
  /** Resolves as soon as the condition holds; rejects when the stream is over and it does not. */
  until(holds: () => boolean): Promise<void>;
  /** Resolves once the stream is over. */
  untilOver(): Promise<void>;
  /** Stops reading, or reads on. */
  pause(): void;
  resume(): void;
  /** Breaks the connection off. */
  abort(): void;
}

/** Resolves when the headers of the answer are there. */
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
