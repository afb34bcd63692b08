/** What tests replace, such as the clock, randomness, the timers and the log. */
export type { Timeouts } from '#http/timeouts';
export type { Blobs } from '#platform/blobs/blobs';
export { systemClock, type Clock } from '#platform/clock';
export type { Counters } from '#platform/counters/counters';
export { createLog, type Log } from '#platform/log';
export type { PasswordStrength } from '#platform/password-strength';
export { systemRandom, type Random } from '#platform/random';
export type { Timers } from '#platform/timers';
export { UnavailableError } from '#platform/unavailable';
