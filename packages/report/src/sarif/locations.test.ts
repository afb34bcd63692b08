import { describe, expect, test } from 'vitest';
import { at, findingOf, imported, log, result, run } from '../../test/sarif.ts';

describe('locations of results', () => {
  const fileOf = (artifactLocation: Record<string, unknown>, runParts = {}, roots: readonly string[] = []) =>
    findingOf({ locations: [at(artifactLocation)] }, [], runParts, { roots }).affected.file;
  const bases = {
    originalUriBaseIds: {
      ROOT: { uri: 'file:///home/ci/repo/' },
      SRC: { uri: 'src/', uriBaseId: 'ROOT' },
      LOOP: { uri: 'x/', uriBaseId: 'LOOP' },
    },
  };

  test.each<
    [string, Record<string, unknown>, Record<string, unknown>, readonly string[], string | undefined]
  >([
    ['a relative path', { uri: 'src/a.ts' }, {}, [], 'src/a.ts'],
    ['dots', { uri: './src/../lib/a.ts' }, {}, [], 'lib/a.ts'],
    ['escapes', { uri: 'src/a%20b%C3%A9.ts' }, {}, [], 'src/a bé.ts'],
    ['a broken escape', { uri: 'src/100%.ts' }, {}, [], 'src/100%.ts'],
    ['backslashes', { uri: 'src\\a.ts' }, {}, [], 'src/a.ts'],
    ['a file address', { uri: 'file:///home/dev/repo/src/a%20b.ts' }, {}, ['/home/dev/repo'], 'src/a b.ts'],
    ['an absolute path', { uri: '/home/dev/repo/src/a.ts' }, {}, ['file:///home/dev/repo/'], 'src/a.ts'],
    ['a drive', { uri: 'file:///C:/Code/src/a.c' }, {}, ['c:\\code'], 'src/a.c'],
    ['a Windows path', { uri: 'C:\\code\\src\\a.c' }, {}, ['C:/code'], 'src/a.c'],
    ['one of two roots', { uri: '/ci/repo/a.ts' }, {}, ['/home/dev/repo', '/ci/repo'], 'a.ts'],
    ['a base of the log', { uri: 'a.ts', uriBaseId: 'ROOT' }, bases, [], 'a.ts'],
    ['a base relative to a base', { uri: 'a.ts', uriBaseId: 'SRC' }, bases, [], 'src/a.ts'],
    ['a base in the repository', { uri: 'a.ts', uriBaseId: 'ROOT' }, bases, ['/home/ci'], 'repo/a.ts'],
    ['a missing base', { uri: 'a.ts', uriBaseId: '%SRCROOT%' }, {}, [], 'a.ts'],
    ['a base relative to itself', { uri: 'a.ts', uriBaseId: 'LOOP' }, bases, [], 'x/a.ts'],
    ['an address under a base', { uri: 'file:///home/ci/repo/src/a.ts' }, bases, [], 'src/a.ts'],
    ['an index', { index: 1 }, { artifacts: [{}, { location: { uri: 'src/b.ts' } }] }, [], 'src/b.ts'],
    ['the repository itself', { uri: './' }, {}, [], undefined],
    ['nothing', {}, {}, [], undefined],
  ])('%s', (_name, location, runParts, roots, file) => {
    expect(fileOf(location, runParts, roots)).toBe(file);
  });

  test('outside the repository stay absolute, with a warning', () => {
    const { only, warnings } = imported(log(run([result({}, 'file:///elsewhere/a.ts')])), {
      roots: ['/home'],
    });
    expect(only.affected.file).toBe('/elsewhere/a.ts');
    expect(warnings).toEqual(['1 result outside the repository: run the scanner in the repository.']);
  });

  test('on the web have an origin and a route', () => {
    const finding = findingOf({ locations: [at({ uri: 'https://shop.example.com:8443/orders/7?id=3' })] });
    expect(finding.affected).toEqual({
      component: 'Scanner',
      origin: 'https://shop.example.com:8443',
      route: '/orders/7',
    });
    expect(finding.evidence[0]?.location).toBe('https://shop.example.com:8443/orders/7');
  });

  test('are named only in location fields, so that shares can hide them', () => {
    const file = 'src/orders/read.ts';
    const elsewhere = { uri: 'src/orders/write.ts' };
    const { affected, evidence, ...others } = findingOf({
      locations: [at({ uri: file })],
      relatedLocations: [at(elsewhere)],
      codeFlows: [{ threadFlows: [{ locations: [{ location: at(elsewhere) }] }] }],
    });
    expect([affected.file, evidence[0]?.location]).toEqual([file, file]);
    const { file: _, ...rest } = affected;
    const descriptions = evidence.map(({ description }) => description);
    expect(descriptions.length).toBeGreaterThan(1);
    expect(JSON.stringify([rest, descriptions, others])).not.toContain('src/orders');
  });

  test('have the lines of the region, in order', () => {
    const linesOf = (region: Record<string, unknown>) => {
      const { lineStart, lineEnd } = findingOf({ locations: [at({ uri: 'a.ts' }, region)] }).affected;
      return [lineStart, lineEnd];
    };
    expect(linesOf({ startLine: 3, endLine: 5 })).toEqual([3, 5]);
    expect(linesOf({ startLine: 3 })).toEqual([3, 3]);
    expect(linesOf({ startLine: 3, endLine: 1 })).toEqual([3, 3]);
    expect(linesOf({ startLine: 0 })).toEqual([undefined, undefined]);
    expect(linesOf({ charOffset: 100 })).toEqual([undefined, undefined]);
  });

  test('without a file have the logical location as component, or the tool', () => {
    const logicalLocations = [{ fullyQualifiedName: 'Boot.main(String[])' }];
    expect(findingOf({ locations: [{ logicalLocations }] }).affected).toEqual({
      component: 'Boot.main(String[])',
    });
    expect(findingOf({ locations: [] }).affected).toEqual({ component: 'Scanner' });
    expect(
      findingOf({ locations: [{ logicalLocations: [{ index: 0 }] }] }, [], {
        logicalLocations: [{ name: 'f' }],
      }).affected,
    ).toEqual({ component: 'f' });
  });
});
