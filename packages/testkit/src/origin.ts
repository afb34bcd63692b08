/** Where a test server believes to be: links in its answers begin so, whatever port it has. */
export const APP_ORIGIN = 'http://svc.test';
