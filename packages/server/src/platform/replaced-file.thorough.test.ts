/** Many replacements under many readers. */
await import('./replaced-file.test.ts');
