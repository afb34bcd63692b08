/** Everyday tests that repeat something a few times, or leave out what times tell: here they do all of it. */
import { describe } from 'vitest';

describe('account.http', async () => {
  await import('../src/features/auth/account.http.test.ts');
});
describe('order.http', async () => {
  await import('../src/features/progress/order.http.test.ts');
});
describe('slow-readers.http', async () => {
  await import('../src/features/progress/slow-readers.http.test.ts');
});
describe('existence.http', async () => {
  await import('../src/features/shares/existence.http.test.ts');
});
describe('passwords.http', async () => {
  await import('../src/features/shares/passwords.http.test.ts');
});
describe('unavailable.http', async () => {
  await import('../src/features/shares/unavailable.http.test.ts');
});
describe('updates.http', async () => {
  await import('../src/features/updates/updates.http.test.ts');
});
describe('invitations.http', async () => {
  await import('../src/features/workspaces/invitations.http.test.ts');
});
describe('workspaces.http', async () => {
  await import('../src/features/workspaces/workspaces.http.test.ts');
});
describe('password-hash', async () => {
  await import('../src/platform/password-hash.test.ts');
});
describe('replaced-file', async () => {
  await import('../src/platform/replaced-file.test.ts');
});
describe('polyglots-in-browser', async () => {
  await import('./journeys/polyglots-in-browser.test.ts');
});
