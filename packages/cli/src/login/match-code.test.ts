import { startServer, bodyOf } from '@svc/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchCode } from './match-code.ts';

test('[D4] the code equals the one on the page of the service', async () => {
  await using server = await startServer();
  const person = await server.signUp();
  for (let links = 0; links < 20; links += 1) {
    const { publicRequestId: id } = await server.beginLink();
    expect(matchCode(id)).toBe(bodyOf(await person.api.getDeviceLink({ params: { id } })).matchCode);
  }
});

test('the code always has the same form', () => {
  fc.assert(
    fc.property(fc.string(), (id) => {
      expect(matchCode(id)).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    }),
  );
});
