/** A small shop in C and JavaScript whose files have many lines in common, like copied code. */
import { treeOf, type NewLine, type Tree } from './tree.ts';

const places = [
  'orders/cart',
  'orders/invoice',
  'users/login',
  'users/profile',
  'stock/import',
  'stock/label',
];

const bodies: readonly (readonly string[])[] = [
  ['char *name = field(request, 1);', '', 'strcpy(buf, name);', '', 'send(buf);'],
  ['strcpy(buf, name);', 'strcpy(out, name);', 'log(buf);', 'strcpy(buf, name);'],
  ['if (is_new(request)) {', '    sprintf(out, "%s", name);', '    system(out);', '}', 'strcpy(buf, name);'],
  ['for (;;) {', '    strcpy(buf, next(request));', '    if (!*buf) break;', '}'],
  ['strcpy(buf, name);', '', '', 'send(buf);'],
];

export function shop(newLine: NewLine): Tree {
  const files = places.map((place, index): [string, string] => [`src/${place}.c`, fileOf(place, index)]);
  return treeOf({ ...Object.fromEntries(files), 'README.md': '# Shop\n\nstrcpy is fine here.\n' }, newLine);
}

function fileOf(place: string, index: number): string {
  const name = place.replace('/', '_');
  const functions = bodies.flatMap((_, number) => {
    // Each file has some of the bodies, in another order.
    const body = bodies[(index + number * 2) % bodies.length] ?? [];
    const lines = body.map((line) => (line === '' ? '' : `    ${line}`));
    return ['', `void ${name}_${number}(Request *request) {`, ...lines, '}'];
  });
  return ['#include "shop.h"', '', 'static char buf[80], out[80], *name;', ...functions, ''].join('\n');
}
