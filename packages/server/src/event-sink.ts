/**
 * A stream of server-sent events as the features see it: what `http` hands to whoever answers with one.
 *
 * Many streams are sent the same events, so what is sent is encoded once, as it goes onto the wire.
 */

/** A part of a stream, encoded as one chunk of HTTP. */
export type Frame = Buffer & { readonly isFrame: true };

/** @param text whole events or comments, each with its empty line. */
export function frameOf(text: string): Frame {
  const sizeBytes = Buffer.byteLength(text);
  return Buffer.from(`${sizeBytes.toString(16)}\r\n${text}\r\n`) as Frame;
}

export interface EventSink {
  /** Bytes that were sent and that the client has not taken yet. */
  readonly queuedBytes: number;
  /** @param onTaken called when the client has taken this frame and all before it; never for a stream that broke off. */
  send(frame: Frame, onTaken?: () => void): void;
  /** Resolves once the client has taken what was sent, or is gone. */
  taken(): Promise<void>;
  /** Ends the stream after what was sent. */
  end(): void;
  /** Ends the stream at once; what the client has not taken is lost. */
  cut(): void;
}

/** Sends what there is to send into the sink, for as long as it likes. Returns what is called once the stream is over, however it ended. */
export type StreamSource = (sink: EventSink) => () => void;
