import { expect, test } from 'vitest';
import { labelOf } from './labels.ts';

test.each([
  ['strong_evidence', 'Strong evidence'],
  ['sql_injection', 'SQL injection'],
  ['missing_csrf_token', 'Missing CSRF token'],
  ['sqlite', 'Sqlite'],
  ['', ''],
])('the enum value %j is shown as %j', (word, label) => expect(labelOf(word)).toBe(label));
