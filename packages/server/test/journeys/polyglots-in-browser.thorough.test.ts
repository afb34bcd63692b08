/** Every polyglot in every field of the pages, too. */
await import('./polyglots-in-browser.test.ts');
