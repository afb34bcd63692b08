/** How long a client may take. These are the service's values; tests shorten them. */
export interface Timeouts {
  /** The time from the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** The time from the first byte of a request to its last; enough for 12 MiB at 128 KiB a second. */
  readonly requestMs: number;
  /** How long a connection may stay open without a byte in either direction. Streams have heartbeats instead. */
  readonly silenceMs: number;
  /** The time between a response and the next request. */
  readonly keepAliveMs: number;
  /** How often open connections are checked against the limits for headers and requests. */
  readonly connectionsCheckedEveryMs: number;
  /** A grace period, after which a body must have the minimum transfer rate. */
  readonly bodyGraceMs: number;
  /** How often the transfer rate of a body is checked. */
  readonly bodyCheckedEveryMs: number;
  /** How long an answered request's unread body is still received, so that the client can read the response. */
  readonly lingerMs: number;
}

export const defaultTimeouts: Timeouts = {
  headersMs: 15_000,
  requestMs: 120_000,
  silenceMs: 60_000,
  keepAliveMs: 65_000,
  connectionsCheckedEveryMs: 2000,
  bodyGraceMs: 10_000,
  bodyCheckedEveryMs: 1000,
  lingerMs: 2000,
};
