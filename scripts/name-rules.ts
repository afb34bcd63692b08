// The names that a browser may deny, and the files that may use them. Where storage is blocked, the mere name of it throws.
// `npm run check -- lint` enforces the table.

export interface NameRule {
  id: string;
  because: string;
  files: readonly string[];
  except: readonly string[];
  names: readonly string[];
}

const lib = 'packages/web/src/lib';
const inBrowsers = ['packages/{web,client,report}/src/**'];
const tests = '**/*.test.ts';

export const nameRules: readonly NameRule[] = [
  {
    id: 'browser-storage-in-one-place',
    because: `browsers may block storage, which then throws: keep values through ${lib}/browser-storage.ts`,
    files: inBrowsers,
    except: [tests, `${lib}/browser-storage.ts`],
    names: ['localStorage', 'sessionStorage'],
  },
  {
    id: 'browser-tabs-in-one-place',
    because: `browsers may deny what tabs share, which then throws: use ${lib}/between-tabs.ts`,
    files: inBrowsers,
    except: [tests, `${lib}/between-tabs.ts`],
    names: ['BroadcastChannel', 'SharedWorker', 'locks'],
  },
  {
    id: 'browser-without-other-storage',
    because: 'browsers may block this storage, which then throws, and the pages need none of it',
    files: inBrowsers,
    except: [tests],
    names: ['indexedDB', 'caches', 'cookie', 'cookieStore', 'serviceWorker', 'permissions'],
  },
];
