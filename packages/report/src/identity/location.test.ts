import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { normalizedFile, normalizedOrigin, normalizedLocation, normalizedRoute } from './location.ts';

const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,8}$/);
const names = fc.array(name, { minLength: 1, maxLength: 5 });

describe('a file', () => {
  test('[D12] is the same under any root of the repository', () => {
    fc.assert(
      fc.property(names, names, names, (root, moved, file) => {
        const relative = file.join('/');
        for (const at of [root, moved]) {
          for (const prefix of ['/', 'C:/', 'c:\\', '//server/share/', '\\\\server\\share\\']) {
            const base = `${prefix}${at.join('/')}`;
            expect(normalizedFile(`${base}/${relative}`, base)).toBe(relative);
            expect(normalizedFile(relative, base)).toBe(relative);
          }
        }
      }),
    );
  });

  test('[D12] is the same with `.`, `..`, double slashes and backslashes in it', () => {
    fc.assert(
      fc.property(
        names,
        fc.infiniteStream(fc.constantFrom('/', '//', '/./', '\\', '/x/../')),
        (file, slashes) => {
          const spelled = `./${file.map((segment) => `${segment}${slashes.next().value}`).join('')}end`;
          expect(normalizedFile(spelled)).toBe([...file, 'end'].join('/'));
        },
      ),
    );
  });

  test('[D12] is normalized in one pass', () => {
    const part = fc.constantFrom('a', 'B', '.', '..', '', '/', '\\', 'C:', ' ', 'é', 'e\u0301');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), (parts) => {
        // A relative path may become `C:/a`, which is an absolute path when it is normalized again.
        fc.pre(!/[^/\\]C:/.test(parts.join('/')) && parts.indexOf('C:') < 1);
        const once = normalizedFile(parts.join('/'), '/a');
        expect(normalizedFile(once, '/a')).toBe(once);
      }),
    );
  });

  test.each([
    ['file:///home/me/shop/src/a.ts', '/home/me/shop', 'src/a.ts'],
    ['file:///home/me/my%20shop/src/%C3%A9.ts', '/home/me/my shop', 'src/é.ts'],
    ['file://localhost/home/me/shop/src/a.ts', '/home/me/shop/', 'src/a.ts'],
    ['file:/home/me/shop/src/a.ts', '/home/me/shop', 'src/a.ts'],
    ['file:///C:/shop/src/a.ts', 'c:\\shop', 'src/a.ts'],
    ['file://server/share/shop/a.ts', '\\\\SERVER\\share\\shop', 'a.ts'],
    ['file:///home/me/100%/a.ts', '/home/me', '100%/a.ts'],
    ['\\\\?\\C:\\Shop\\src\\a.ts', 'C:\\shop', 'src/a.ts'],
    ['/home/me/shop', '/home/me/shop', '.'],
    ['/home/me/shopping/a.ts', '/home/me/shop', '/home/me/shopping/a.ts'],
    ['/Home/me/shop/a.ts', '/home/me/shop', '/Home/me/shop/a.ts'],
    ['/home/me/shop/../other/a.ts', '/home/me/shop', '/home/me/other/a.ts'],
    ['../other/a.ts', '/home/me/shop', '../other/a.ts'],
    ['D:\\x\\a.ts', 'C:\\shop', 'd:/x/a.ts'],
    ['src/cafe\u0301.ts', undefined, 'src/café.ts'],
    ['/../../etc/passwd', undefined, '/etc/passwd'],
    ['', '/home/me/shop', ''],
    ['/a.ts', '/', 'a.ts'],
  ])('[D12] %s in %s is %s', (file, root, normalized) => {
    expect(normalizedFile(file, root)).toBe(normalized);
  });

  test('[D12] loses only the path of the repository in the location of evidence', () => {
    expect(normalizedLocation('/home/me/shop/src/a.ts:12:3', '/home/me/shop')).toBe('src/a.ts:12:3');
    expect(normalizedLocation('GET https://shop.test/a/../b', '/home/me/shop')).toBe(
      'GET https://shop.test/a/../b',
    );
    expect(normalizedLocation('/home/me/shop/a.ts')).toBe('/home/me/shop/a.ts');
  });
});

const hexadecimal = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'.split('')), minLength: length, maxLength: length });
const ids = fc.oneof(
  fc.nat().map(String),
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.ulid(),
  fc.constantFrom(24, 32, 40, 64).chain(hexadecimal),
  // No word has a digit before a letter.
  fc.stringMatching(/^[A-Za-z0-9]{7,20}[0-9][a-z][A-Za-z0-9]{7,20}$/),
  fc.constantFrom(':id', '{id}', '<id>', '[id]', '{id:int}', '<int:id>', '[...slug]', ':orderId', '{}'),
);
const words = fc.constantFrom('api', 'orders', 'v2', 'users', 'export.json', 'password-reset', 'oauth2');

describe('a route', () => {
  test('[D12] is the same for every record id', () => {
    const route = fc.array(fc.oneof(words, fc.constant(null)), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(route, fc.infiniteStream(ids), (segments, stream) => {
        const named = () => `/${segments.map((segment) => segment ?? String(stream.next().value)).join('/')}`;
        const pattern = `/${segments.map((segment) => segment ?? '{}').join('/')}`;
        expect([normalizedRoute(named()), normalizedRoute(named())]).toEqual([pattern, pattern]);
      }),
    );
  });

  test('[D12] keeps every word', () => {
    fc.assert(
      fc.property(fc.array(words, { minLength: 1 }), (segments) => {
        const route = `/${segments.join('/')}`;
        expect(normalizedRoute(`${route.toUpperCase()}/?page=2`)).toBe(route);
      }),
    );
  });

  test.each([
    ['/oauth2-authorization-callback', '/oauth2-authorization-callback'],
    ['/api/getUserAccountInformationByEmail', '/api/getuseraccountinformationbyemail'],
    ['/defaced/decade', '/defaced/decade'],
    ['/commits/4f9c2e1', '/commits/{}'],
    ['/invoices/dGhpcy1pcy1h_LXRva2Vu', '/invoices/{}'],
    ['GET /Orders/17//lines/?full=1', 'get /orders/{}/lines'],
    ['orders/17', 'orders/{}'],
    ['/', '/'],
    ['/?q=1', '/'],
  ])('[D12] %s is %s', (route, normalized) => {
    expect(normalizedRoute(route)).toBe(normalized);
  });
});

test('[D12] an origin ignores case and a slash at its end', () => {
  expect(normalizedOrigin(' HTTPS://Shop.Test:8443/ ')).toBe('https://shop.test:8443');
});
