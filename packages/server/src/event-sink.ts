/**
 * A stream of server-sent events as features see it. `http` gives it to the feature that answers with a stream.
 *
 * Many streams receive the same events, so an event is encoded once.
 */

/** A part of a stream, encoded as one chunk of HTTP. */
export type Frame = Buffer & { readonly isFrame: true };

/** @param text complete events or comments, each with its empty line. */
export function frameOf(text: string): Frame {
  const sizeBytes = Buffer.byteLength(text);
  return Buffer.from(`${sizeBytes.toString(16)}\r\n${text}\r\n`) as Frame;
}

export interface EventSink {
  /** Bytes that were sent and that the client has not received yet. */
  readonly queuedBytes: number;
  /** @param onTaken called when the client has received this frame and all before it; never for a broken stream. */
  send(frame: Frame, onTaken?: () => void): void;
  /** Resolves when the client has received what was sent, or has disconnected. */
  taken(): Promise<void>;
  /** Ends the stream after what was sent. */
  end(): void;
  /** Ends the stream immediately. What the client has not received is lost. */
  cut(): void;
}

/** Sends events to the sink. Returns a function that is called when the stream has ended for any reason. */
export type StreamSource = (sink: EventSink) => () => void;
