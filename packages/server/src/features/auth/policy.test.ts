import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { passwordIssue } from './policy.ts';

const never = () => false;

describe('which passwords may be chosen', () => {
  test('[D3] a password is looked up among the common ones in lower case and in composed form', () => {
    const asked: string[] = [];
    passwordIssue(
      'CAFÉ au lait'.normalize('NFD'),
      'a@b.test',
      (folded) => asked.push(folded) < 0,
      '/password',
    );
    expect(asked).toEqual(['café au lait'.normalize('NFC')]);
  });

  test('[D3] a password that contains the name part is rejected, in any letter case and with any text around it', () => {
    const word = fc.stringMatching(/^[a-z]{4,12}$/);
    fc.assert(
      fc.property(word, fc.string(), fc.string(), fc.boolean(), (name, before, after, upper) => {
        const password = before + (upper ? name.toUpperCase() : name) + after;
        expect(passwordIssue(password, `${name}@example.test`, never, '/newPassword')?.path).toBe(
          '/newPassword',
        );
      }),
    );
  });

  test('[D3] a password that is neither common nor contains the name part is accepted', () => {
    expect(passwordIssue('correct horse', 'staple@example.test', never, '/password')).toBeNull();
    expect(passwordIssue('example.test is fine', 'name@example.test', never, '/password')).toBeNull();
  });
});
