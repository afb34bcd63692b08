/** The terms that could identify a project in a text: its names, the address of its code, and its hosts. */
export interface Identifying {
  readonly names: readonly string[];
  readonly repositoryUrl?: string | undefined;
  /** The origins of the remaining findings only. Hidden findings must not influence the terms. */
  readonly origins: readonly string[];
}

/** Names are also found in looser spellings than hosts (term-spellings.ts). */
export interface Terms {
  readonly names: readonly string[];
  readonly hosts: readonly string[];
}

/** Shorter names are ordinary words. */
const TERM_LENGTH_MIN = 3;
/** A longer text is not a host name. */
const HOST_LENGTH_MAX = 253;

export function termsOf({ names, repositoryUrl, origins }: Identifying): Terms {
  const repository = repositoryUrl === undefined ? undefined : addressOf(repositoryUrl.trim());
  const hosts = [...new Set(origins)].map((origin) => addressOf(origin.trim()).host);
  return {
    names: longEnough([
      ...names.map((name) => name.trim()),
      ...(repositoryUrl === undefined ? [] : [repositoryUrl.trim()]),
      ...(repository === undefined ? [] : partsOf(repository.path)),
    ]),
    hosts: longEnough([...(repository === undefined ? [] : [repository.host]), ...hosts]),
  };
}

function longEnough(terms: readonly string[]): readonly string[] {
  const distinct = [...new Set(terms)];
  return distinct.filter((term) => [...term].length >= TERM_LENGTH_MIN && containsWord(term));
}

function containsWord(term: string): boolean {
  return /[\p{L}\p{N}]/u.test(term);
}

function partsOf(path: string): string[] {
  const parts = path.split(/[/\\]/).flatMap((part) => [part, decoded(part)]);
  return parts.flatMap((part) => [part, part.replace(/\.git$/i, '')]);
}

/** A path has a space as `%20`; a sentence has the space itself. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

interface Address {
  readonly host: string;
  /** The path without query and fragment. */
  readonly path: string;
}

/** Reads `https://user@host:1/path`, `git@host:path` and `host/path`, without changing how they are spelled. */
function addressOf(text: string): Address {
  const scheme = /^[a-z][a-z0-9+.-]*:(?=\/\/)/i.exec(text)?.[0] ?? '';
  const rest = text.slice(scheme.length).replace(/^\/\//, '');
  const authority = /^[^/\\?#]*/.exec(rest)?.[0] ?? '';
  const path = /^[^?#]*/.exec(rest.slice(authority.length))?.[0] ?? '';
  const hostAndPath = authority.slice(authority.lastIndexOf('@') + 1);
  if (hostAndPath.startsWith('['))
    return { host: shortHost(/^[^\]]*/.exec(hostAndPath.slice(1))?.[0] ?? ''), path };
  const colonAt = hostAndPath.indexOf(':');
  if (colonAt < 0) return { host: shortHost(hostAndPath), path };
  const afterColon = hostAndPath.slice(colonAt + 1);
  const isPort = /^[0-9]*$/.test(afterColon);
  return { host: shortHost(hostAndPath.slice(0, colonAt)), path: isPort ? path : `${afterColon}${path}` };
}

function shortHost(host: string): string {
  return host.length <= HOST_LENGTH_MAX ? host : '';
}
