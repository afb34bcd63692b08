import type { Finding, SharePolicy } from '@svc/contract';
import { describe, expect, test } from 'vitest';
import { AT, findingOf, reportOf } from '../../test/samples.ts';
import { everything, projected } from '../../test/sharing.ts';

const anonymous: SharePolicy = { ...everything, anonymize: true };
const project = { name: 'Acme Shop', repositoryUrl: 'https://git@code.acme.test:8443/team/shop-web.git' };

/** The text of a limitation in an anonymized share. */
function limitationText(
  text: string,
  {
    named = project,
    names = [],
    findings = [],
  }: { named?: typeof project | { name: string }; names?: string[]; findings?: Finding[] } = {},
  policy = anonymous,
): string | undefined {
  return projected(reportOf({ project: named, findings, limitations: [text] }), policy, names)
    .limitations?.[0];
}

test('[D9] an anonymized projection has no field that identifies the project', () => {
  const finding = findingOf({
    affected: { component: 'api', origin: 'https://api.acme.test' },
    fingerprint: 'ab'.repeat(32),
    secretReferences: [{ label: 'key', kind: 'aws', fingerprint: 'local-1' }],
  });
  const { scan } = reportOf();
  const report = reportOf({
    project,
    findings: [finding],
    scan: { ...scan, commit: 'abcdef0', branch: 'main', tools: [] },
  });
  const projection = projected(report, anonymous);
  const { startedAt, finishedAt, effortRequested, effortResolved } = scan;
  expect(projection).not.toHaveProperty('project');
  expect(projection).not.toHaveProperty('authorization');
  expect(projection.scan).toStrictEqual({
    startedAt,
    finishedAt,
    effortRequested,
    effortResolved,
    tools: [],
  });
  expect(projection.projectedFor).toStrictEqual({ principalType: 'email' });
  const [shown] = projection.findings!;
  expect(shown?.affected).toStrictEqual({ component: 'api' });
  expect(shown).not.toHaveProperty('fingerprint');
  expect(shown).not.toHaveProperty('secretReferences');
});

describe('names of the project', () => {
  test.each([
    ['the Acme Shop', 'the [redacted]'],
    ['ACME SHOP, acme\n  shop', '[redacted], [redacted]'],
    ['the acme, the shop', 'the acme, the shop'],
    ['Acme Shops, myacme shop', 'Acme Shops, myacme shop'],
    ['MyAcme Shop', 'My[redacted]'],
    ['https://git@code.acme.test:8443/team/shop-web.git', '[redacted]'],
    ['http://code.acme.test/x', 'http://[redacted]/x'],
    [
      'team_x, shop-web, shop-web.git, old-shop-web.internal',
      '[redacted]_x, [redacted], [redacted], old-[redacted].internal',
    ],
    ['teams, 2team, teamé, sub.code.acme.testing', 'teams, 2team, teamé, sub.code.acme.testing'],
    ['TEAM/team.team', '[redacted]/[redacted].[redacted]'],
  ])('[D9] in %s are replaced: %s', (text, expected) => {
    expect(limitationText(text)).toBe(expected);
  });

  const spellings = [
    [
      'acme shop',
      'acme-shop',
      'acme_shop',
      'acme.shop',
      'acme/shop',
      'acme+shop',
      'acme·shop',
      'acme\n\t shop',
    ],
    ['ACME_SHOP', 'Acme Shop', 'Acme-Shop', 'acmeShop', 'AcmeShop', 'acmeshop', 'ACMESHOP'],
    ['acme%20shop', 'acme%2520shop', 'acme%C2%B7shop', 'acme%u0020shop', 'acmexshop', 'acme2shop'],
    [String.raw`acme\u0020shop`, String.raw`acme\x20shop`, String.raw`acme\\nshop`, String.raw`acme\shop`],
  ].flat();

  test.each(['Acme Shop', 'acme-shop', 'acme_shop', 'AcmeShop', 'acmeShop', 'ACME_SHOP', 'acme.shop'])(
    '[D24] are replaced in every spelling and between any boundaries, for the name %s',
    (name) => {
      const named = { name };
      for (const spelling of spellings) {
        for (const [before, after] of [
          ['', ''],
          ['the_', '_x'],
          ['%2F', '%2f'],
          ['%252f', '%20'],
          [String.raw`a\n`, String.raw`\n`],
          [String.raw`\u002f`, String.raw`\u002f`],
          [String.raw`\x2F`, String.raw`\t`],
          ['«', '»'],
          ['/', '.git'],
        ] as const)
          expect(limitationText(`${before}${spelling}${after}`, { named })).toBe(
            `${before}[redacted]${after}`,
          );
      }
      for (const other of [
        'acme',
        'shop',
        'acmeshops',
        'myacmeshop',
        'acme shops',
        'acme  - shop',
        'acme of shop',
        String.raw`acme\n\nshop`,
      ])
        expect(limitationText(other, { named })).toBe(other);
    },
  );

  test.each([
    ['Acme & Co', 'acme-co, acme_co, acmeCo, Acme & Co'],
    ['@acme/shop', 'acme-shop, acmeShop, ACME_SHOP, @acme/shop'],
    ["Acme's Shop", "acmes-shop, acmesShop, Acme's Shop"],
    ['Acme: Shop', 'acme-shop, acme_shop, AcmeShop'],
    ['Acme (Shop)', 'acme-shop, acme_shop, acmeShop'],
    ['Acme, Inc.', 'acme-inc, acme_inc, AcmeInc'],
    ['acme.shop', 'acme-shop, acme_shop, acmeShop'],
    ['acme.shop.web', 'acme-shop-web, acme_shop_web'],
    ['Acme Shop', String.raw`acme\_shop, acme\-shop`],
  ])('[D24] with punctuation are replaced in every variant: %s', (name, text) => {
    expect(limitationText(text, { named: { name } })).toBe(
      text.replaceAll(/[^,]+(?=,|$)/g, (found) => found.replace(/\S.*/, '[redacted]')),
    );
  });

  test.each([
    ['myAcmeShop', 'my[redacted]Shop'],
    ['acmeShop', '[redacted]Shop'],
    ['acme_shop', '[redacted]_shop'],
    ['getAcme()', 'get[redacted]()'],
    ['%2Facme%2f', '%2F[redacted]%2f'],
    [String.raw`\nacme, \u002facme, \x2facme`, String.raw`\n[redacted], \u002f[redacted], \x2f[redacted]`],
    [String.raw`C:\acme\nacme`, String.raw`C:\[redacted]\n[redacted]`],
    ['acmes, pacme, 2acme, ACMES', 'acmes, pacme, 2acme, ACMES'],
    ['éAcme, acmeÉ', 'é[redacted], [redacted]É'],
  ])('[D24] of one word are bounded by a change of case and by escapes: %s becomes %s', (text, expected) => {
    expect(limitationText(text, { named: { name: 'acme' } })).toBe(expected);
  });

  test.each([
    ['Acme Shop', 'acmeshop2, Acme Shop 2, acme-shop007.', '[redacted]2, [redacted] 2, [redacted]007.'],
    ['acme', 'acme2, acme2024q1, acme٣', '[redacted]2, [redacted]2024q1, [redacted]٣'],
    ['acme2', 'acme2, acme23, acme2-3', '[redacted], acme23, [redacted]-3'],
    ['10.0.0.1', '10.0.0.1, 10.0.0.12', '[redacted], 10.0.0.12'],
  ])('[D24] are replaced before digits, which stay: %s in %s', (name, text, expected) => {
    expect(limitationText(text, { named: { name } })).toBe(expected);
  });

  test.each([
    [
      'acme.shop.web',
      'acme/shop%2eweb, acmexshopxweb, acmeshopweb',
      '[redacted], acmexshopxweb, acmeshopweb',
    ],
    ['1.2.3', '1-2_3, 10203, 123', '[redacted], 10203, 123'],
    ['a b', 'a-b, axb, ab', '[redacted], axb, ab'],
  ])('[D24] that nothing may join are not joined by letters: %s in %s', (name, text, expected) => {
    expect(limitationText(text, { named: { name } })).toBe(expected);
  });

  test('[D24] of many words are replaced with the usual separators', () => {
    const named = { name: 'The Shop of the Acme Trading Company' };
    const text = 'theShopOfTheAcmeTradingCompany, the-shop-of-the-acme-trading-company';
    expect(limitationText(text, { named })).toBe('[redacted], [redacted]');
  });

  test('[D9] that only the service knows are replaced too', () => {
    expect(limitationText('The web portal of Acme Shop', { names: ['Web Portal', ''] })).toBe(
      'The [redacted] of [redacted]',
    );
  });

  test('[D9] of fewer than three characters are not replaced', () => {
    expect(limitationText('go to go', { named: { name: 'go' } })).toBe('go to go');
    expect(limitationText('gö\u{1d54f} gö\u{1d54f}', { named: { name: 'gö\u{1d54f}' } })).toBe(
      '[redacted] [redacted]',
    );
  });

  test.each([
    ['C++ (.*) [x]', 'a c++ (.*) [x] b', 'a [redacted] b'],
    ['Straße', 'STRASSE strasse straße', '[redacted] [redacted] [redacted]'],
    ['Café', 'CAFE\u0301 cafe', '[redacted] cafe'],
    ['Kiosk', '\u212aio\u017fk', '[redacted]'],
    ['支付系统', '在支付系统中', '在[redacted]中'],
    ['아크메', '아크메는', '[redacted]는'],
    ['Acme', 'Acmeの', '[redacted]の'],
    ['Acme', 'サーバーAcmeサーバー', 'サーバー[redacted]サーバー'],
    ['サーバー', 'このサーバーは', 'この[redacted]は'],
    ['---', 'a --- b', 'a --- b'],
    ['ab cd', 'ab cd ab cd', '[redacted] [redacted]'],
    ['x.x.x', 'x.x.x.x', '[redacted]'],
  ])('[D9] such as %s are replaced literally, in any case and spelling: %s', (name, text, expected) => {
    expect(limitationText(text, { named: { name } })).toBe(expected);
  });

  test.each([
    ['git@code.acme.test:team/shop.git', 'code.acme.test team shop'],
    ['ssh://git@code.acme.test:22/team/shop', 'code.acme.test team shop'],
    ['code.acme.test/team/shop?a=b#c', 'code.acme.test team shop'],
    ['/srv/team/shop.git', 'srv team shop'],
    ['https://code.acme.test/my%20team/shop%', 'code.acme.test my&team shop%'],
    ['http://[2001:db8::1]:80/shop', '2001:db8::1 shop'],
  ])('[D9] in the URL %s are its host and each part of its path', (repositoryUrl, words) => {
    const named = { name: '', repositoryUrl };
    const text = words.replaceAll('&', ' ').replaceAll(' ', ' | ').replace('my | team', 'my team');
    expect(limitationText(text, { named })).toBe(
      words
        .split(' ')
        .map(() => '[redacted]')
        .join(' | '),
    );
    expect(limitationText('git ssh', { named })).toBe('git ssh');
  });

  test('[D9] are replaced in every text', () => {
    const text = 'of Acme Shop, at length';
    const entry = { kind: 'other', description: text, snippet: text, location: text } as const;
    const finding = findingOf({
      title: text,
      category: 'acme',
      summary: text,
      impact: text,
      remediation: text,
      verificationPlan: text,
      reproduction: text,
      affected: { component: text, file: text, route: text },
      evidence: [entry],
      corroboration: [entry],
      taxonomy: [text],
      references: [text],
      tags: [text],
      fixHistory: [{ at: AT, action: 'applied', verified: true, changedFiles: [text], note: text }],
    });
    const report = reportOf({
      project,
      findings: [finding],
      methodologyVersion: text,
      scan: { ...reportOf().scan, tools: [{ name: text, version: text }] },
      coverage: [text],
      coverageAreas: [{ id: text, name: text, status: 'covered', note: text }],
      limitations: [text],
    });
    const json = JSON.stringify(projected(report, anonymous, ['acme']));
    expect(json).not.toMatch(/acme/i);
    expect(json.split('of [redacted], at length').length - 1).toBe(28);
    expect(json).toContain('"category":"[redacted]"');
  });
});

describe('origins', () => {
  const findings = [
    findingOf({ id: 'F-1', affected: { component: 'api', origin: 'https://one.test:1/a' } }),
    findingOf({ id: 'F-2', affected: { component: 'api', origin: 'two.test' } }),
  ];
  const text = 'one.test, api.two.test:443';

  test('[D9] the hosts of the origins of findings are replaced', () => {
    expect(limitationText(text, { findings })).toBe('[redacted], api.[redacted]:443');
  });

  test('[T15] the origin of a hidden finding has no effect', () => {
    const policy: SharePolicy = { ...anonymous, findings: { mode: 'deny_listed', ids: ['F-1'] } };
    expect(limitationText(text, { findings }, policy)).toBe('one.test, api.[redacted]:443');
    const unlisted: SharePolicy = { ...anonymous, sections: { ids: ['limitations'] } };
    expect(limitationText(text, { findings }, unlisted)).toBe(text);
  });
});

describe('names within finding ids', () => {
  const findings = [findingOf({ id: 'ACME-12' }), findingOf({ id: 'F-35' })];
  const narrow: SharePolicy = { ...anonymous, findings: { mode: 'deny_listed', ids: [] } };

  test('[D9] an id that contains a name is renumbered, not redacted', () => {
    expect(limitationText('ACME-12 of acme, ACME-13', { findings, named: { name: 'Acme' } }, narrow)).toBe(
      'F-1 of [redacted], [redacted]',
    );
  });

  test('[D9] a mention that is part of a name is redacted with the name', () => {
    const named = { name: 'Jet F-35' };
    expect(limitationText('jet F-35, F-35', { findings, named }, narrow)).toBe('[redacted], F-2');
    expect(limitationText('F-35', { findings, named: { name: 'F-35' } }, narrow)).toBe('[redacted]');
    expect(limitationText('ACME-12-x y', { findings, named: { name: '12-x' } }, narrow)).toBe('[redacted] y');
  });

  test('[T15] findings whose ids contain a name are renumbered, even if none is left out', () => {
    const report = reportOf({ findings, project: { name: 'acme' }, limitations: ['ACME-12 F-35'] });
    const projection = projected(report, anonymous);
    expect(projection.findings?.map(({ id }) => id)).toEqual(['F-1', 'F-2']);
    expect(projection.limitations).toEqual(['F-1 F-2']);
    expect(JSON.stringify(projection)).not.toMatch(/acme/i);
  });
});
