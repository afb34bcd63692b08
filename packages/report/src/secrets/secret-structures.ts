/** Tokens of several parts, and tokens with a fixed text in the middle. */
import { characterSet } from './scanned-text.ts';
import { expression, type SecretFormat } from './secret-format.ts';

const ALPHANUMERIC = characterSet('A-Za-z0-9');
const BASE64URL = characterSet('A-Za-z0-9_-');
const HEX = characterSet('a-f0-9');
const CAPITALS = characterSet('A-Z0-9');
const DIGITS = characterSet('0-9');

const usual = { notAfter: /[\p{L}\p{N}]/u, notBefore: /[A-Za-z0-9]/ };
const apart = { notAfter: /[\p{L}\p{N}_+/.-]/u, notBefore: /[\w+/=-]/ };
const isMixed = (body: string) => /\d/.test(body) && /[a-zA-Z]/.test(body);

export const structuredFormats: readonly SecretFormat[] = [
  expression(
    '1password-key',
    ['A3-'],
    /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})-[A-Z0-9]{5}-[A-Z0-9]{5}-[A-Z0-9]{5}/y,
    { ...usual, follow: { set: CAPITALS, length: 6 } },
  ),
  expression('airtable-token', ['pat'], /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/y, {
    ...usual,
    follow: { set: ALPHANUMERIC, length: 14 },
  }),
  expression('azure-client-secret', ['Q~'], /[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}/y, {
    notAfter: /[\p{L}\p{N}_~.-]/u,
    notBefore: /[\w~-]/,
    backs: [4],
    follow: { set: characterSet('A-Za-z0-9_~.-'), length: 31 },
  }),
  expression('cloudflare-token', ['v1.0-'], /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/y, {
    ...usual,
    follow: { set: HEX, length: 24 },
  }),
  expression(
    'dynatrace-token',
    ['dt0c01.', 'dt0s01.'],
    /dt0[cs]01\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}/y,
    usual,
  ),
  expression(
    'flutterwave-key',
    ['FLWSECK_TEST-', 'FLWPUBK_TEST-'],
    /FLW(?:SECK|PUBK)_TEST-(?:[a-hA-H0-9]{32}-X|[a-hA-H0-9]{12})/y,
    usual,
  ),
  expression('gitlab-token', ['glcbt-'], /glcbt-[A-Za-z0-9]{1,5}_[\w-]{20,64}/y, usual),
  expression(
    'gitlab-token',
    ['glpat-', 'glrt-'],
    /gl(?:pat|rt)-[\w-]{27,300}(?:\.[0-9a-z]{2})?\.[0-9a-z]{9}/y,
    usual,
  ),
  expression('harness-key', ['pat.', 'sat.'], /[ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}/y, {
    ...usual,
    follow: { set: BASE64URL, length: 22 },
  }),
  expression('mailchimp-key', ['-us'], /[a-f0-9]{32}-us\d{1,2}/y, {
    ...usual,
    notBefore: /[\w-]/,
    backs: [32],
    follow: { set: DIGITS, length: 1 },
  }),
  expression('mapbox-token', ['pk.', 'sk.'], /[ps]k\.[A-Za-z0-9_-]{60,120}\.[A-Za-z0-9_-]{22}/y, {
    ...apart,
    follow: { set: BASE64URL, length: 60 },
  }),
  expression('maxmind-key', ['_mmk'], /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/y, { ...apart, backs: [36] }),
  expression(
    'plaid-token',
    ['access-sandbox-', 'access-development-', 'access-production-'],
    /access-(?:sandbox|development|production)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/y,
    usual,
  ),
  expression('postman-key', ['PMAK-'], /PMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}/y, usual),
  expression(
    'sendinblue-key',
    ['xkeysib-', 'xsmtpsib-'],
    /x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}/y,
    usual,
  ),
  expression(
    'sentry-token',
    ['sntrys_eyJ'],
    /sntrys_eyJ[A-Za-z0-9+/]{40,500}={0,2}_[A-Za-z0-9+/]{43}/y,
    usual,
  ),
  expression('slack-token', ['xoxe.xox'], /xoxe\.xox[bp]-\d-[A-Za-z0-9]{146,170}/y, usual),
  expression('slack-token', ['xoxe-'], /xoxe-\d-[A-Za-z0-9]{140,170}/y, usual),
  expression('slack-token', ['xoxa-', 'xoxr-'], /xox[ar]-(?:\d-)?[0-9A-Za-z]{8,48}/y, {
    ...usual,
    notBefore: /[\w-]/,
    accepts: isMixed,
  }),
  expression('sourcegraph-token', ['sgp_'], /sgp_(?:[A-Fa-f0-9]{16}|local)_[A-Fa-f0-9]{40}/y, usual),
  expression('telegram-token', [':AA'], /\d{8,10}:AA[\w-]{33}/y, {
    notAfter: /[\p{L}\p{N}_]/u,
    notBefore: /[\w-]/,
    backs: [10, 9, 8],
    follow: { set: BASE64URL, length: 33 },
  }),
  expression('terraform-token', ['.atlasv1.'], /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/y, {
    ...usual,
    backs: [14],
  }),
  expression('yandex-token', ['t1.'], /t1\.[A-Za-z0-9_-]{4,400}={0,2}\.[A-Za-z0-9_-]{86}={0,2}/y, {
    ...apart,
    follow: { set: BASE64URL, length: 4 },
  }),
  {
    kind: 'authress-key',
    anchors: ['.acc_', '.acc-'],
    locate: ({ text }, at) => {
      const beginning = AUTHRESS_BEGINNING.exec(text.slice(Math.max(0, at - AUTHRESS_BEGINNING_MAX), at));
      AUTHRESS_END.lastIndex = at;
      if (beginning === null || !AUTHRESS_END.test(text)) return undefined;
      return { start: at - beginning[0].length, end: AUTHRESS_END.lastIndex };
    },
  },
];

const AUTHRESS_BEGINNING = /(?:authress|scauth|sc|ext)_[A-Za-z0-9]{5,30}\.[A-Za-z0-9]{4,6}$/;
const AUTHRESS_BEGINNING_MAX = 46;
const AUTHRESS_END = /\.acc[_-][A-Za-z0-9-]{10,32}\.[A-Za-z0-9+/_=-]{30,120}/y;
