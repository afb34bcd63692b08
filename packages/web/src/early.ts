/**
 * Runs while the other files of a page load, so it imports none. The first number, time and comparison of texts make
 * the browser load its language data, which takes a slow phone more than a tenth of a second. Here it delays nothing.
 */
const time = new Date();
const texts = [
  (1000).toLocaleString('en'),
  time.toLocaleString('en-GB', { dateStyle: 'long', timeStyle: 'long' }),
  new Intl.RelativeTimeFormat('en', { numeric: 'auto' }).format(-1, 'day'),
];
// A result that is not used could be removed.
document.documentElement.toggleAttribute('data-early', 'a'.localeCompare(texts.join('')) > 1);
