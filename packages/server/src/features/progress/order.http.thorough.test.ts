/** Many readers that reconnect often. */
await import('./order.http.test.ts');
