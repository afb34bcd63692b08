import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { checkoutLines } from './checkout-lines.ts';

const root = fs.mkdtempSync(path.join(fs.realpathSync(os.tmpdir()), 'svc-lines-'));
afterAll(() => fs.rmSync(root, { recursive: true }));

test('lines end with a line feed, a carriage return or both', () => {
  const part = fc.constantFrom('a', 'b c', '\n', '\r', '\r\n', 'é');
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), (parts) => {
      const text = parts.join('');
      fs.writeFileSync(path.join(root, 'file'), text);
      const lines = checkoutLines(root)('file');
      const expected = text.split(/\r\n|[\r\n]/);
      expect([...expected, ''].map((_, index) => lines?.at(index))).toEqual([...expected, undefined]);
    }),
  );
});

test('a missing file, a link and a file outside of the checkout have no lines', () => {
  fs.writeFileSync(path.join(root, 'inside'), 'a');
  fs.symlinkSync('inside', path.join(root, 'link'));
  const linesOf = checkoutLines(root);
  expect(['inside', 'missing', 'link', '../outside'].map((file) => linesOf(file)?.at(0))).toEqual([
    'a',
    undefined,
    undefined,
    undefined,
  ]);
});
