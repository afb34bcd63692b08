/** The worker that rates passwords, one after the other. */
import { parentPort } from 'node:worker_threads';
import { judgePassword, type PasswordToJudge } from './guessable-password.ts';

parentPort?.on('message', (task: PasswordToJudge) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
  parentPort?.postMessage(judgePassword(task));
});
