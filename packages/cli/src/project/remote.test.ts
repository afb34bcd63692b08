import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { normalizedRemote, remoteDigest } from './remote.ts';

describe('[T27] the address of a remote', () => {
  test.each([
    'https://git.example.com/Acme/shop',
    'https://git.example.com/Acme/shop.git',
    'https://GIT.Example.com/Acme/shop.git/',
    'https://git.example.com:443/Acme/shop',
    'https://ada:token@git.example.com/Acme/shop.git',
    'https://git.example.com/Acme/shop.git?token=x#y',
    'http://git.example.com:80/Acme/shop',
    'ssh://git@git.example.com/Acme/shop.git',
    'ssh://git@git.example.com:22/Acme/shop.git',
    'git+ssh://git@git.example.com/Acme/shop.git',
    'git://git.example.com:9418/Acme/shop.git',
    'git@git.example.com:Acme/shop.git',
    'Git.Example.com:/Acme/shop/',
    ' https://git.example.com//Acme/./shop.git\n',
  ])('is normalized from any spelling: %s', (given) => {
    expect(normalizedRemote(given, '/root')).toBe('git.example.com/Acme/shop');
  });

  test.each([
    ['https://git.example.com:8443/acme/shop.git', 'git.example.com:8443/acme/shop'],
    ['ssh://git@git.example.com:2222/acme/shop.git', 'git.example.com:2222/acme/shop'],
    ['https://git.example.com/acme/Shop', 'git.example.com/acme/Shop'],
    ['https://git.example.com/acme/my%20shop', 'git.example.com/acme/my shop'],
    ['ssh://[2001:DB8::1]/shop.git', '[2001:db8::1]/shop'],
    ['/srv/git/shop.git', '/srv/git/shop'],
    ['/srv/git/shop/.git', '/srv/git/shop'],
    ['file:///srv/git/shop.git', '/srv/git/shop'],
    ['../shop.git', '/shop'],
    ['ext::sh -c whoami', 'ext::sh -c whoami'],
    ['', null],
  ])('%s becomes %s', (given, wanted) => {
    expect(normalizedRemote(given, '/root')).toBe(wanted);
  });

  test('is stored as its SHA-256', () => {
    const wanted = createHash('sha256').update('git.example.com/acme/shop').digest('hex');
    expect(remoteDigest('git@git.example.com:acme/shop.git', '/')).toBe(wanted);
    expect(remoteDigest(undefined, '/')).toBeNull();
  });
});
