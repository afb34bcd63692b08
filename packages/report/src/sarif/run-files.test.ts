import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { at, imported, log, result, run, type Part } from '../../test/sarif.ts';
import { FileIndex } from './file-index.ts';
import type { SarifImportOptions } from './import.ts';

const checkout = [
  'src/app/x.py',
  'src/app/café.py',
  'src/main/java/com/shop/Cart.java',
  'packages/shop/src/cart.ts',
  'packages/shop/src/index.ts',
  'packages/admin/src/index.ts',
  'lib/tool.jar',
  'docs/100% sure.md',
  'docs/a%20b.md',
  'Dockerfile',
  'native/Win/Main.C',
  'case/Both.c',
  'case/both.c',
];

/** The files of results at these locations in one run, and the warnings of the import. */
function located(locations: readonly Part[], runParts: Part = {}, options: SarifImportOptions = {}) {
  const results = locations.map((location, index) =>
    result({ locations: [at(location, { startLine: index + 1 })] }),
  );
  const { findings, warnings } = imported(log(run(results, [], runParts)), {
    files: new FileIndex(checkout),
    ...options,
  });
  const files = locations.map((_, index) => {
    const found = findings.find(({ affected }) => affected.lineStart === index + 1);
    return found?.affected.file;
  });
  return { files, warnings };
}

const filesOf = (uris: readonly string[], options: SarifImportOptions = {}) =>
  located(
    uris.map((uri) => ({ uri })),
    {},
    options,
  ).files;

describe('a path from another machine means the only file with the same end', () => {
  test.each<[string, string, string | undefined]>([
    ['in a container', '/agent/src/app/x.py', 'src/app/x.py'],
    ['in a container, as an address', 'file:///src/app/x.py', 'src/app/x.py'],
    ['on another machine', '/home/ci/agent/7/shop/src/app/x.py', 'src/app/x.py'],
    ['below the root', '/src/cart.ts', 'packages/shop/src/cart.ts'],
    ['on Windows', 'C:\\agent\\_work\\1\\s\\src\\app\\x.py', 'src/app/x.py'],
    ['on Windows, as an address', 'file:///D:/a/1/s/src/app/x.py', 'src/app/x.py'],
    ['on Windows in another case', 'c:\\agent\\NATIVE\\win\\main.c', 'native/Win/Main.C'],
    ['on Windows, unless two files differ only in case', 'c:\\agent\\case\\both.c', undefined],
    ['on a system that distinguishes case, only in the same case', '/agent/native/win/main.c', undefined],
    ['on a Mac in another case', '/Users/me/NATIVE/win/main.c', 'native/Win/Main.C'],
    ['on a share', '\\\\build\\drop\\src\\app\\x.py', 'src/app/x.py'],
    ['on a host', 'file://build-01/agent/src/app/x.py', 'src/app/x.py'],
    ['with its first folder as a host', 'file://src/app/x.py', 'src/app/x.py'],
    ['with escapes', 'file:///w/src/app/caf%C3%A9.py', 'src/app/café.py'],
    ['decomposed', '/w/src/app/cafe\u0301.py', 'src/app/café.py'],
    ['with escapes twice', 'file:///w/src/app/caf%25C3%25A9.py', 'src/app/café.py'],
    ['with a broken escape', '/w/docs/100% sure.md', 'docs/100% sure.md'],
    ['without escapes', '/w/docs/a%20b.md', 'docs/a%20b.md'],
    ['with a line', 'file:///w/src/app/x.py#L12', 'src/app/x.py'],
    ['in a folder above', 'shop/src/app/x.py', 'src/app/x.py'],
    ['in a folder below', 'app/x.py', 'src/app/x.py'],
    ['in a folder beside', '../app/x.py', 'src/app/x.py'],
    ['in an archive of the checkout', 'jar:file:///w/lib/tool.jar!/com/shop/Tool.class', 'lib/tool.jar'],
    ['in an archive, after a colon', '/w/lib/tool.jar:com/shop/Tool.class', 'lib/tool.jar'],
    [
      'in an archive of sources',
      '/w/out-sources.jar!/com/shop/Cart.java',
      'src/main/java/com/shop/Cart.java',
    ],
  ])('%s', (_name, uri, file) => {
    const expected = file ?? uri.replaceAll('\\', '/').replace(/^\w:/, (drive) => drive.toLowerCase());
    expect(filesOf([uri])).toEqual([expected]);
  });

  test.each<[string, string, string]>([
    ['of which only the file name is the same', '/w/x.py', '/w/x.py'],
    ['with the same end as several files', '/w/src/index.ts', '/w/src/index.ts'],
    ['of an installed package', '/w/node_modules/dep/src/cart.ts', '/w/node_modules/dep/src/cart.ts'],
    ['of a package, relative', 'vendor/dep/src/cart.ts', 'vendor/dep/src/cart.ts'],
    ['of the system', '/usr/lib/python3/app/x.py', '/usr/lib/python3/app/x.py'],
    ['that exists', 'packages/shop/src/index.ts', 'packages/shop/src/index.ts'],
    ['of the checkout’s root', 'Dockerfile', 'Dockerfile'],
  ])('but not a path %s', (_name, uri, file) => {
    expect(filesOf([uri])).toEqual([file]);
  });

  test.each([
    '/rustc/9fc6b43126469e3858e2fe86cafb4f0fd5068869/src/app/x.py',
    '/usr/local/go/src/app/x.py',
    '/home/me/sdk/go1.22.1/src/app/x.py',
    '/opt/hostedtoolcache/go/1.22.1/x64/src/app/x.py',
    '/usr/local/bundle/gems/app-7.1.0/src/app/x.py',
    '/home/me/.rbenv/versions/3.3.0/lib/ruby/3.3.0/src/app/x.py',
    '/srv/gems/app-7.1.0/src/app/x.py',
    '/nix/store/0c7kwjy5ihhw3hzkyyi9kyybqqwx2x7n-app/src/app/x.py',
    '/home/me/other/node_modules/dep/src/app/x.py',
    'node_modules/dep/src/app/x.py',
    '/home/me/.m2/dep-sources.jar!/com/shop/Cart.java',
    'c:/Windows/x/src/app/x.py',
    'c:/Go/src/net/src/app/x.py',
  ])('but not a path of installed code: %s', (uri) => {
    expect(filesOf([uri])).toEqual([uri]);
    const files = new FileIndex([...checkout, 'test/node_modules/one/src/other/x.py', 'vendor/one/a.py']);
    expect(filesOf([...checkout.slice(0, 2).map((file) => `/w/${file}`), uri], { files }).at(-1)).toBe(uri);
  });

  test('but not a path in a package other than the one that the checkout has', () => {
    const files = new FileIndex(['test/node_modules/one/src/app/x.py']);
    const other = '/home/me/node_modules/two/src/app/x.py';
    expect(filesOf([other], { files })).toEqual([other]);
    expect(filesOf(['/w/node_modules/one/src/app/x.py'], { files })).toEqual([
      'test/node_modules/one/src/app/x.py',
    ]);
  });

  const ofBase = (uri: string, more: Part = {}) =>
    located([{ uri: 'src/app/x.py', uriBaseId: 'R' }], { originalUriBaseIds: { R: { uri } }, ...more })
      .files[0];

  test('but not a URI with a scheme other than file', () => {
    const uris = ['pkg:npm/x/src/app/x.py', 'git://host/x/src/app/x.py', 'vscode-remote://h/w/src/app/x.py'];
    const archived = 'jar:https://host/dep-sources.jar!/com/shop/Cart.java';
    const working = { invocations: [{ workingDirectory: { uri: 'file:///ci/r/' } }] };
    for (const uri of [...uris, archived]) {
      expect(checkout).not.toContain(filesOf([uri])[0]);
      expect(checkout).not.toContain(located([{ uri }], working).files[0]);
      expect(checkout).not.toContain(filesOf([...checkout.map((file) => `/w/${file}`), uri]).at(-1));
    }
    expect(checkout).not.toContain(ofBase('git://host/x/'));
    expect(ofBase('file:///ci/r/')).toBe('src/app/x.py');
  });

  test('but not the path of an ignored file that exists', () => {
    const files = new FileIndex(checkout, { isOnDisk: (file) => file === 'dist/src/app/x.py' });
    expect(filesOf(['dist/src/app/x.py', '/ci/dist/src/app/x.py'], { files })).toEqual([
      'dist/src/app/x.py',
      'dist/src/app/x.py',
    ]);
  });

  test('and a path that matches several files is reported', () => {
    const { warnings } = located([{ uri: '/w/src/index.ts' }, { uri: '/w/src/index.ts' }]);
    expect(warnings).toContain(
      '1 path of Scanner matches several files of the checkout, so none was chosen: run the scanner in the repository.',
    );
  });

  test('and keeps the name within an archive', () => {
    const { only } = imported(log(run([result({}, 'jar:file:/w/lib/tool.jar!/com/A.class')])), {
      files: new FileIndex(checkout),
    });
    expect(only.affected).toMatchObject({ file: 'lib/tool.jar', component: 'com/A.class' });
  });
});

describe('paths of one run', () => {
  const twoUnder = (folder: string) => [`${folder}/src/app/x.py`, `${folder}/packages/shop/src/cart.ts`];
  const twoFiles = ['src/app/x.py', 'packages/shop/src/cart.ts'];

  test('resolve an ambiguous path together', () => {
    expect(filesOf(['/w/Dockerfile'])).toEqual(['/w/Dockerfile']);
    expect(filesOf([...twoUnder('/w'), '/w/Dockerfile', '/w/packages/admin/src/index.ts'])).toEqual([
      ...twoFiles,
      'Dockerfile',
      'packages/admin/src/index.ts',
    ]);
    const files = new FileIndex(['a/src/one.ts', 'a/src/two.ts', 'a/src/index.ts', 'b/src/index.ts']);
    expect(filesOf(['/src/one.ts', '/src/two.ts', '/src/index.ts'], { files })).toEqual([
      'a/src/one.ts',
      'a/src/two.ts',
      'a/src/index.ts',
    ]);
  });

  test('resolve an ambiguous path only if several different ones agree', () => {
    const [one = ''] = twoUnder('/w');
    expect(filesOf([one, one, '/w/Dockerfile'])).toEqual(['src/app/x.py', 'src/app/x.py', '/w/Dockerfile']);
  });

  test('do not resolve an ambiguous path if they lead to different folders', () => {
    const files = new FileIndex(
      ['a', 'b'].flatMap((name) => [`${name}/s/${name}1.ts`, `${name}/s/${name}2.ts`, `${name}/s/same.ts`]),
    );
    const uris = ['/w/s/a1.ts', '/w/s/a2.ts', '/w/s/b1.ts', '/w/s/b2.ts', '/w/s/same.ts'];
    expect(filesOf(uris, { files })).toEqual([
      'a/s/a1.ts',
      'a/s/a2.ts',
      'b/s/b1.ts',
      'b/s/b2.ts',
      '/w/s/same.ts',
    ]);
  });

  test('keep the path of a deleted file, even if another file has the same end', () => {
    const gone = 'old/shop/src/cart.ts';
    expect(filesOf([`/w/${gone}`])).toEqual(['packages/shop/src/cart.ts']);
    expect(filesOf([...twoUnder('/w'), `/w/${gone}`])).toEqual([...twoFiles, gone]);
    expect(filesOf([...twoFiles, gone])).toEqual([...twoFiles, gone]);
  });

  test('do not resolve other files of a container', () => {
    expect(filesOf([...twoUnder(''), '/etc/passwd'])).toEqual([...twoFiles, '/etc/passwd']);
  });

  test('do not affect other runs', () => {
    const other = log(
      run(twoUnder('/w').map((uri, index) => result({}, uri, index + 1))),
      run([result({ locations: [at({ uri: '/w/Dockerfile' }, { startLine: 9 })] })]),
    );
    const { findings } = imported(other, { files: new FileIndex(checkout) });
    expect(findings.map(({ affected }) => affected.file)).toEqual([...twoFiles, '/w/Dockerfile']);
  });

  test('include those of its artifacts', () => {
    const artifacts = twoUnder('/w').map((uri) => ({ location: { uri } }));
    expect(located([{ uri: '/w/Dockerfile' }], { artifacts }).files).toEqual(['Dockerfile']);
  });
});

describe('the folders that a log names', () => {
  const from = (runParts: Part, location: Part, options: SarifImportOptions = {}) =>
    located([location], runParts, options).files[0];
  const bases = (originalUriBaseIds: Part) => ({ originalUriBaseIds });

  test.each<[string, Part, Part, string]>([
    ['a base', bases({ R: { uri: 'file:///ci/r/' } }), { uri: 'Dockerfile', uriBaseId: 'R' }, 'Dockerfile'],
    [
      'a base within the repository, recognized only by its files',
      bases({ R: { uri: 'file:///ci/r/packages/shop/' } }),
      { uri: 'src/index.ts', uriBaseId: 'R' },
      'packages/shop/src/index.ts',
    ],
    [
      'bases within each other',
      bases({ R: { uri: 'file:///ci/r/' }, S: { uri: 'packages/shop/', uriBaseId: 'R' } }),
      { uri: 'src/index.ts', uriBaseId: 'S' },
      'packages/shop/src/index.ts',
    ],
    [
      'bases in a circle',
      bases({ A: { uri: 'src/', uriBaseId: 'B' }, B: { uri: 'shop/', uriBaseId: 'A' } }),
      { uri: 'index.ts', uriBaseId: 'A' },
      'packages/shop/src/index.ts',
    ],
    ['a missing base', {}, { uri: 'src/app/x.py', uriBaseId: 'NONE' }, 'src/app/x.py'],
    [
      'a base on the web',
      bases({ R: { uri: 'https://git.example.com/shop/blob/main/' } }),
      { uri: 'Dockerfile', uriBaseId: 'R' },
      'Dockerfile',
    ],
    ['a path with a leading slash', bases({}), { uri: '/Dockerfile', uriBaseId: 'R' }, 'Dockerfile'],
    [
      'the outer of two bases',
      bases({ S: { uri: 'file:///ci/r/packages/shop/' }, R: { uri: 'file:///ci/r/' } }),
      { uri: 'file:///ci/r/packages/shop/src/index.ts' },
      'packages/shop/src/index.ts',
    ],
    [
      'the working directory of the tool',
      { invocations: [{ workingDirectory: { uri: 'file:///ci/r/packages/shop' } }] },
      { uri: 'src/index.ts' },
      'packages/shop/src/index.ts',
    ],
    [
      'the working directory, for an absolute path',
      { invocations: [{ workingDirectory: { uri: 'file:///ci/r/' } }] },
      { uri: '/ci/r/Dockerfile' },
      'Dockerfile',
    ],
    [
      'a working directory relative to the repository',
      { invocations: [{ workingDirectory: { uri: 'packages/shop' } }] },
      { uri: 'src/index.ts' },
      'packages/shop/src/index.ts',
    ],
    [
      'the working directory, for a path from the root',
      { invocations: [{ workingDirectory: { uri: 'file:///ci/r/packages/shop' } }] },
      { uri: 'Dockerfile' },
      'Dockerfile',
    ],
    [
      'the location of the checkout',
      { versionControlProvenance: [{ mappedTo: { uri: 'file:///ci/r/' } }] },
      { uri: 'file:///ci/r/Dockerfile' },
      'Dockerfile',
    ],
    [
      'the location of the checkout, relative to a base',
      {
        ...bases({ R: { uri: 'file:///ci/r/' } }),
        versionControlProvenance: [{ mappedTo: { uri: 'sub', uriBaseId: 'R' } }],
      },
      { uri: '/ci/r/sub/Dockerfile' },
      'Dockerfile',
    ],
  ])('%s', (_name, runParts, location, file) => {
    expect(from(runParts, location)).toBe(file);
  });

  test('are used even without the files of the checkout', () => {
    const none = { files: undefined } as unknown as SarifImportOptions;
    const parts = {
      invocations: [{ workingDirectory: { uri: 'file:///ci/r/' } }],
      versionControlProvenance: [{ mappedTo: { uri: 'file:///ci/q/' } }],
    };
    expect(from(parts, { uri: '/ci/r/gone.ts' }, none)).toBe('gone.ts');
    expect(from(parts, { uri: '/ci/q/gone.ts' }, none)).toBe('gone.ts');
    expect(from(parts, { uri: '/ci/s/gone.ts' }, none)).toBe('/ci/s/gone.ts');
  });

  test('are overridden by a root of the caller', () => {
    const parts = { versionControlProvenance: [{ mappedTo: { uri: 'file:///repo/packages/shop' } }] };
    const uri = '/repo/packages/shop/src/index.ts';
    expect(from(parts, { uri }, { roots: ['/repo'] })).toBe('packages/shop/src/index.ts');
  });
});

test('an absolute path under no root stays outside the repository if the tool ran on this machine', () => {
  const options = { roots: ['/home/dev/shop'], isFromHere: true };
  const uris = [
    '/home/dev/other/src/app/x.py',
    '../other/src/app/x.py',
    '/home/dev/shop/src/app/x.py',
    'app/x.py',
  ];
  expect(filesOf(uris, options)).toEqual([uris[0], uris[1], 'src/app/x.py', 'src/app/x.py']);
});

test('a path below an unrelated folder never means another file, and means its own if its end is unique', () => {
  const name = fc.constantFrom('a', 'b', 'src', 'x.ts', 'y.ts');
  const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((segments) => segments.join('/'));
  const above = fc.constantFrom('', '/', '/ci', '/ci/work', 'C:/ci', 'file:///ci', 'work');
  fc.assert(
    fc.property(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), above, (paths, folder) => {
      const files = new FileIndex(paths);
      const uris = paths.map((file) => [folder.replace(/\/$/, ''), file].join('/'));
      const given = folder === '' ? paths : uris;
      filesOf(given, { files }).forEach((found, index) => {
        const meant = paths[index] ?? '';
        const isOpen = found !== undefined && files.find(found) === undefined;
        expect(found === meant || isOpen).toBe(true);
        const ends = paths.filter((other) => `/${other}`.endsWith(`/${meant}`));
        const isAlone = meant.includes('/') && ends.length === 1;
        expect(!isAlone || found === meant).toBe(true);
      });
    }),
  );
});
