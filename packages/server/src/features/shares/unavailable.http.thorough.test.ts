/** The times of links that are not available, too. */
await import('./unavailable.http.test.ts');
