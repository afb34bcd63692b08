import { Finding } from '@svc/contract';
import { issuesOf, validatorOf } from '@svc/contract/validation';
import { describe, expect, test } from 'vitest';
import { submission } from '../../test/local-reports.ts';
import { pathCleaner } from '@svc/report/making/local-paths';

const { text, finding } = pathCleaner({
  repositoryRoot: '/home/ada/code/shop',
  homes: ['/home/ada', '/data/people/ada'],
});

describe('text', () => {
  test.each([
    ['In /home/ada/code/shop/src/a.ts:7.', 'In src/a.ts:7.'],
    ['In file:///home/ada/code/shop/src/a.ts.', 'In src/a.ts.'],
    ['Run it in /home/ada/code/shop.', 'Run it in ..'],
    ['(/home/ada/.npmrc)', '(~/.npmrc)'],
    ['/data/people/ada/.ssh', '~/.ssh'],
    ['It reads /etc/passwd.', 'It reads /etc/passwd.'],
    ['/home/ada/code/shop-two/a', '~/code/shop-two/a'],
    ['/home/adam/a', '/home/adam/a'],
    ['https://example.com/home/ada/x', 'https://example.com/home/ada/x'],
  ])('%s → %s', (given, wanted) => {
    expect(text(given)).toBe(wanted);
  });

  test('loses the folders of a Windows machine in each spelling', () => {
    const windows = pathCleaner({ repositoryRoot: 'C:\\Users\\Ada L\\shop', homes: ['C:\\Users\\Ada L'] });
    const given = [
      'C:\\Users\\Ada L\\shop\\a.ts',
      'C:/Users/Ada L/shop/a.ts',
      'C:\\\\Users\\\\Ada L\\\\shop\\\\a.ts',
      'file:///C:/Users/Ada%20L/shop/a.ts',
      'C:\\Users\\Ada L\\x',
    ];
    expect(given.map(windows.text)).toEqual(['a.ts', 'a.ts', 'a.ts', 'a.ts', '~\\x']);
  });

  test('keeps folders that identify nobody and look like routes', () => {
    const container = pathCleaner({ repositoryRoot: '/app', homes: ['/root'] });
    expect(container.text('GET /app/login reads /root/x')).toBe('GET /app/login reads /root/x');
    const cleaned = container.finding({
      id: 'F-1',
      ...submission('a', { affected: { component: 'a', file: '/app/src/a.ts' } }),
    });
    expect(cleaned.affected.file).toBe('src/a.ts');
  });
});

test('a finding contains no folder of this machine in any field except its route', () => {
  const local = '/home/ada/code/shop/x';
  const evidence = { kind: 'source', description: local, snippet: local, location: `${local}:7` } as const;
  const cleaned = finding({
    id: 'F-1',
    ...submission('a'),
    title: local,
    summary: local,
    impact: local,
    remediation: local,
    verificationPlan: local,
    reproduction: local,
    references: [local],
    tags: [local],
    affected: { component: local, file: '/home/ada/other/y.ts', route: '/home/ada', origin: 'https://x' },
    evidence: [evidence],
    corroboration: [evidence],
    secretReferences: [{ label: 'a', kind: 'b', fingerprint: 'c', location: '/opt/keys/z.pem' }],
    fixHistory: [
      { at: '2026-01-01T00:00:00Z', action: 'applied', verified: false, changedFiles: [local], note: local },
    ],
  });
  const { route, ...affected } = cleaned.affected;
  expect(JSON.stringify({ ...cleaned, affected })).not.toContain('ada');
  expect(route).toBe('/home/ada');
  expect(affected.file).toBe('[outside]/y.ts');
  expect(cleaned.evidence[0]?.location).toBe('x:7');
  expect(cleaned.secretReferences?.[0]?.location).toBe('[outside]/z.pem');
});

test('a location outside of the repository keeps only its file name in every text of the finding', () => {
  const elsewhere = '/home/berta/ci/shop/src/app.ts';
  const other = 'C:/Users/Berta/shop/other.ts';
  const cleaned = finding({
    id: 'F-1',
    ...submission('a'),
    summary: `A value of ${elsewhere} reaches ${other}.`,
    verificationPlan: `Run it again and look at ${elsewhere}.`,
    affected: { component: elsewhere, file: elsewhere },
    evidence: [
      { kind: 'source', description: `Also here: ${other}`, location: `${other}:3` },
      { kind: 'source', description: 'GET /api/login is not protected.', location: '/api/login' },
    ],
  });
  expect(JSON.stringify(cleaned)).not.toMatch(/berta/i);
  expect(cleaned).toMatchObject({
    summary: 'A value of app.ts reaches other.ts.',
    affected: { component: 'app.ts', file: '[outside]/app.ts' },
    evidence: [{ description: 'Also here: other.ts' }, { description: 'GET /api/login is not protected.' }],
  });
});

test('a path that leads out of the repository keeps only its file name', () => {
  const outside = '../../../etc/passwd';
  const cleaned = finding({
    id: 'F-1',
    ...submission('a'),
    summary: `A value of ${outside} reaches this.`,
    affected: { component: 'a', file: outside },
    evidence: [{ kind: 'source', description: 'Here it is.', location: `${outside}:3` }],
  });
  expect(cleaned).toMatchObject({
    summary: 'A value of passwd reaches this.',
    affected: { file: '[outside]/passwd' },
    evidence: [{ location: '[outside]/passwd:3' }],
  });
});

test('names in a finding do not contain a path of this machine either', () => {
  const named = '/home/ada/x';
  const cleaned = finding({
    id: 'F-1',
    ...submission('a'),
    taxonomy: [named],
    secretReferences: [{ label: named, kind: named, fingerprint: named }],
  });
  expect(JSON.stringify(cleaned)).not.toContain('ada');
});

test('a text that is mostly a path stays long enough for a report', () => {
  const local = '/home/ada/code/shop/x';
  const cleaned = finding({
    id: 'F-1',
    ...submission('a'),
    title: local,
    summary: local,
    impact: local,
    remediation: local,
    verificationPlan: local,
    evidence: [{ kind: 'source', description: local }],
  });
  expect(issuesOf(validatorOf(Finding), cleaned)).toEqual([]);
  expect(cleaned.title).toBe('x (a path was shortened)');
});
