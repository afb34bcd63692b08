/** Everyday tests that repeat something a few times, or leave out what times tell: here they do all of it. */
import { describe } from 'vitest';

function again(name: string, load: () => Promise<unknown>): void {
  describe(`${name}, at length`, async () => {
    await load();
  });
}

again('account.http', () => import('../src/features/auth/account.http.test.ts'));
again('enumeration.http', () => import('../src/features/auth/enumeration.http.test.ts'));
again('renderer', () => import('../src/features/exports/renderer.test.ts'));
again('order.http', () => import('../src/features/progress/order.http.test.ts'));
again('slow-readers.http', () => import('../src/features/progress/slow-readers.http.test.ts'));
again('existence.http', () => import('../src/features/shares/existence.http.test.ts'));
again('passwords.http', () => import('../src/features/shares/passwords.http.test.ts'));
again('unavailable.http', () => import('../src/features/shares/unavailable.http.test.ts'));
again('updates.http', () => import('../src/features/updates/updates.http.test.ts'));
again('invitations.http', () => import('../src/features/workspaces/invitations.http.test.ts'));
again('workspaces.http', () => import('../src/features/workspaces/workspaces.http.test.ts'));
again('password-hash', () => import('../src/platform/password-hash.test.ts'));
again('replaced-file', () => import('../src/platform/replaced-file.test.ts'));
again('polyglots-in-browser', () => import('./journeys/polyglots-in-browser.test.ts'));
