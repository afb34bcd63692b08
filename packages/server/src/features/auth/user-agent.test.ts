import { describe, expect, test } from 'vitest';
import { namesOf } from './user-agent.ts';

describe('the system and browser of a client', () => {
  const chrome = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36';
  test.each([
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome}`, 'Windows', 'Chrome'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/142.0.0.0`, 'Windows', 'Edge'],
    [`Mozilla/5.0 (X11; CrOS x86_64 16433.41.0) ${chrome}`, 'ChromeOS', 'Chrome'],
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome} OPR/125.0.0.0`, 'Linux', 'Opera'],
    [`Mozilla/5.0 (Linux; Android 10; K) ${chrome}`, 'Android', 'Chrome'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0', 'Linux', 'Firefox'],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15',
      'macOS',
      'Safari',
    ],
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/142.0 Mobile/15E148 Safari/604.1',
      'iOS',
      'Chrome',
    ],
    ['curl/8.14.1', 'unknown', 'curl'],
    ['', 'unknown', 'unknown'],
    ['<script>'.repeat(1000), 'unknown', 'unknown'],
  ])('[D24] of %s', (userAgent, system, browser) => {
    expect(namesOf(userAgent)).toEqual({ system, browser });
  });
});
