import { expect, test } from 'vitest';
import { rejectExpired } from './expired.ts';

test('[D6] the clock decides what has expired, whether or not the sweeper ran', () => {
  expect(() => rejectExpired({ state: 'live', expiresAt: 1000 }, 999)).not.toThrow();
  const expired = expect.objectContaining({ code: 'REPORT_EXPIRED' });
  expect(() => rejectExpired({ state: 'finalized', expiresAt: 1000 }, 1000)).toThrow(expired);
  expect(() => rejectExpired({ state: 'expired', expiresAt: 1000 }, 0)).toThrow(expired);
});
