/**
 * Bearer secrets: how they are created, recognized and stored. Only the SHA-256 of a token is stored. Tokens are long
 * and random, so no slower hash is needed.
 */
import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { base62, base62Number, crockford } from './encoding.ts';
import type { Random } from './random.ts';

declare const brand: unique symbol;
/** A secret in the form that authenticates. It is returned once, and never logged, stored or put in a message. */
export type Token = string & { readonly [brand]: 'token' };
/** What is stored of a token. */
export type TokenHash = Uint8Array & { readonly [brand]: 'token hash' };
/** A token hash in base64url. */
export type TokenKey = string & { readonly [brand]: 'token key' };

export function hashToken(token: string): TokenHash {
  return hash('sha256', token, 'buffer') as Uint8Array as TokenHash;
}

/** The hash as a map key, which costs a third of computing the bytes. */
export function tokenKey(token: string): TokenKey {
  return hash('sha256', token, 'base64url') as TokenKey;
}

/** The hash of a key. */
export function hashOfKey(key: TokenKey): TokenHash {
  return Buffer.from(key, 'base64url') as Uint8Array as TokenHash;
}

const DEVICE_TOKEN = /^svc_dev_([0-9A-Za-z]{40})([0-9A-Za-z]{6})$/;

export function newDeviceToken(random: Random): Token {
  const secret = base62(40, (count) => random.bytes(count));
  return `svc_dev_${secret}${checksum(secret)}` as Token;
}

/** True when form and checksum are right, so that a mistyped token costs no query. */
export function isDeviceToken(text: string): boolean {
  const match = DEVICE_TOKEN.exec(text);
  return match !== null && checksum(match[1] ?? '') === match[2];
}

function checksum(secret: string): string {
  return base62Number(crc32(secret), 6);
}

const SESSION_TOKEN = /^[A-Za-z0-9_-]{43}$/;

export function newSessionToken(random: Random): Token {
  return Buffer.from(random.bytes(32)).toString('base64url') as Token;
}

export function isSessionToken(text: string): boolean {
  return SESSION_TOKEN.test(text);
}

const LINK_TOKEN = /^[0-9A-Za-z]{32}$/;

/** The opaque part of an address that is itself a secret: a device link's request id, an invitation. */
export function newLinkToken(random: Random): Token {
  return base62(32, (count) => random.bytes(count)) as Token;
}

export function isLinkToken(text: string): boolean {
  return LINK_TOKEN.test(text);
}

/** The part of a share's address that opens it. */
export function newSlug(random: Random): Token {
  return base62(27, (count) => random.bytes(count)) as Token;
}

/** A recovery code as it is shown: five groups of five characters. */
export function newRecoveryCode(random: Random): Token {
  const characters = crockford(random.bytes(16), 25);
  return characters.replace(/.{5}(?=.)/g, '$&-') as Token;
}

/**
 * The form of a recovery code that is hashed: upper-case, without hyphens and spaces, with look-alike letters as
 * digits.
 */
export function normalizeRecoveryCode(typed: string): string {
  return typed.toUpperCase().replace(/[\s-]/g, '').replace(/O/g, '0').replace(/[IL]/g, '1');
}
