/** How long a client may take. Tests shorten them; the service runs with these. */
export interface Timeouts {
  /** From the first byte of a request to the end of its headers. */
  readonly headersMs: number;
  /** From the first byte to the last of a request; the largest upload at 128 KiB a second fits. */
  readonly requestMs: number;
  /** Without a byte in either direction. Streams send a heartbeat more often. */
  readonly silenceMs: number;
  /** Between an answer and the next request. */
  readonly keepAliveMs: number;
  /** How often open connections are held against the first two. */
  readonly connectionsCheckedEveryMs: number;
  /** A body may begin as slowly as it likes for this long; then its pace counts. */
  readonly bodyGraceMs: number;
  /** How often the pace of a body is looked at. */
  readonly bodyCheckedEveryMs: number;
  /** How long an answered request's unread body is still taken in, so that the client gets to read the answer. */
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
