/** Many replacements under many readers. */
await import('./updates.http.test.ts');
