/** The public origin of test servers: URLs in their responses start with it, regardless of the port. */
export const APP_ORIGIN = 'http://svc.test';
