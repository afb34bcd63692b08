/** Scripts for a page, after which its browser keeps nothing. */

/** The browser denies storage and all that tabs share, as with a setting that blocks the data of sites. */
export const blockedStorage = `const deny = () => {
  throw new DOMException('Access is denied for this document.', 'SecurityError');
};
for (const name of ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'])
  Object.defineProperty(window, name, { get: deny });
Object.defineProperty(Document.prototype, 'cookie', { get: deny, set: deny });
window.BroadcastChannel = deny;
Object.defineProperty(Navigator.prototype, 'locks', { value: { request: async () => deny() } });`;

/** The browser has no space, as in some private windows. */
export const fullStorage = `Storage.prototype.setItem = () => {
  throw new DOMException('The quota has been exceeded.', 'QuotaExceededError');
};`;
