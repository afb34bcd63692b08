import { networkOf, clientAddress, shownNetworkOf } from '#http/network';
import { APP_ORIGIN, startServer, type TestServer } from '@svc/testkit';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

test.each([
  ['203.0.113.77', '203.0.113.0/24'],
  ['::ffff:203.0.113.77', '203.0.113.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['::1', '::/48'],
  ['not an address', 'unknown'],
])('[D24] a session from %s shows the network %s', (address, network) => {
  expect(shownNetworkOf(address)).toBe(network);
});

describe('a network', () => {
  test('[D3] is an IPv4 address, however it is written', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(networkOf(address)).toBe(address);
        expect(networkOf(`::ffff:${address}`)).toBe(address);
      }),
    );
  });

  const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
  const groups = (count: number) => fc.array(group, { minLength: count, maxLength: count });

  test('[D3] is an IPv6 /64', () => {
    // Addresses in 2001:db8::/32, so that none of them is a mapped IPv4 address.
    fc.assert(
      fc.property(groups(2), groups(4), groups(4), (prefix, one, other) => {
        const network = ['2001', 'db8', ...prefix].join(':');
        expect(networkOf(`${network}:${one.join(':')}`)).toBe(networkOf(`${network}:${other.join(':')}`));
      }),
    );
  });

  test('[D3] differs between two IPv6 /64 blocks', () => {
    fc.assert(
      fc.property(groups(2), groups(2), groups(4), (one, other, rest) => {
        fc.pre(one.join(':') !== other.join(':'));
        const within = (prefix: string[]) => networkOf(['2001', 'db8', ...prefix, ...rest].join(':'));
        expect(within(one)).not.toBe(within(other));
      }),
    );
  });

  test('[D3] does not depend on the spelling of an IPv6 address', () => {
    const spellings = [
      '2001:db8::1',
      '2001:DB8:0:0::1',
      '2001:0db8:0000:0000:ffff::',
      '2001:db8:0:0:1:2:3:4%eth0',
    ];
    expect(new Set(spellings.map(networkOf))).toEqual(new Set(['2001:db8:0:0::/64']));
  });

  test('[D3] is the same for every invalid address, so that an invalid address gains nothing', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        fc.pre(/[g-z]/i.test(text));
        expect(networkOf(text)).toBe('unknown');
      }),
      // Spellings of IPv4 addresses that some parsers accept.
      { examples: [['0x0'], ['0X7f.1'], ['0x7f000001']] },
    );
  });
});

describe("the client's address behind trusted proxies", () => {
  const address = fc.oneof(fc.ipV4(), fc.ipV6());
  const own = '192.0.2.1';
  const addressOf = (forwardedFor: string, trustedHops: number) =>
    clientAddress(
      { socket: { remoteAddress: own }, headers: { 'x-forwarded-for': forwardedFor } },
      trustedHops,
    );

  test('[T4] without trusted proxies the header does not count', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        expect(addressOf(header, 0)).toBe(own);
      }),
    );
  });

  test('[T4] what a client wrote never counts, however many entries it adds', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(address, fc.string())),
        fc.array(address, { minLength: 1, maxLength: 4 }),
        (forged, seen) => {
          const header = [...forged, ...seen].join(',');
          expect(addressOf(header, seen.length)).toBe(seen[0]);
        },
      ),
    );
  });

  test('[T4] an invalid entry is replaced by the connection’s own address', () => {
    for (const entry of ['', 'unknown', '_hidden', '1.2.3.4.5', 'svc.test', '<script>']) {
      expect(addressOf(entry, 1)).toBe(own);
    }
  });

  test('[D3] a port after the address is ignored', () => {
    expect(addressOf('198.51.100.7:4711', 1)).toBe('198.51.100.7');
    expect(addressOf('[2001:db8::7]:4711', 1)).toBe('2001:db8::7');
    expect(addressOf('[2001:db8::7]', 1)).toBe('2001:db8::7');
  });
});

describe('throttles by network', () => {
  /**
   * Sends up to sixty wrong passwords, each for another email address without an account, until one is throttled.
   * Returns how many were not, or infinity if none was throttled.
   */
  async function guessesUntilThrottled(
    server: TestServer,
    forwardedFor: (guess: number) => string,
  ): Promise<number> {
    for (let guess = 0; guess < 60; guess += 1) {
      const response = await server.anonymous.fetch('/api/v1/auth/login', {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: APP_ORIGIN,
          'x-forwarded-for': forwardedFor(guess),
          'x-real-ip': `198.51.100.${guess}`,
          forwarded: `for=198.51.100.${guess}`,
          'cf-connecting-ip': `198.51.100.${guess}`,
        },
        body: JSON.stringify({ email: `nobody-${guess}@example.test`, password: 'not the password' }),
      });
      await response.arrayBuffer();
      if (response.status === 429) return guess;
    }
    return Number.POSITIVE_INFINITY;
  }
  const LIMIT = 50;
  const never = Number.POSITIVE_INFINITY;
  const rotating = (guess: number) => `203.0.113.${guess}`;

  test.each([
    ['no trusted proxy and a forged header', 0, rotating, LIMIT],
    [
      'one trusted proxy that saw many clients',
      1,
      (guess: number) => `198.51.100.1, ${rotating(guess)}`,
      never,
    ],
    [
      'two trusted proxies that saw many clients',
      2,
      (guess: number) => `${rotating(guess)}, 10.0.0.1`,
      never,
    ],
    [
      'one trusted proxy that saw one IPv6 network',
      1,
      (guess: number) => `2001:db8::${guess.toString(16)}`,
      LIMIT,
    ],
  ])('[T4] %s', async (_title, trustedProxyHops, forwardedFor, allowed) => {
    await using server = await startServer({ throttled: true, config: { trustedProxyHops } });
    expect(await guessesUntilThrottled(server, forwardedFor)).toBe(allowed);
  });
});
