/** Provides the checks of reports as `virtual:compiled-checks`, because the worker's policy forbids compiling them. */
import { checkSource } from '@svc/contract/compiled-checks';
import { checkedSchemas } from '@svc/report/making/checked-schemas';
import type { Plugin } from 'vite';

const NAME = 'virtual:compiled-checks';

export function compiledChecks(): Plugin {
  return {
    name: 'compiled-checks',
    resolveId: (id) => (id === NAME ? `\0${NAME}` : null),
    load(id) {
      if (id !== `\0${NAME}`) return null;
      const { finding, report } = checkedSchemas;
      return `export const finding = ${checkSource(finding)};\nexport const report = ${checkSource(report)};`;
    },
  };
}
