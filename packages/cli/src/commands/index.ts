/** Every command, in the order in which help lists them. */
import type { Command } from '../command.ts';
import { login, logout, whoami } from './account.ts';
import { completion } from './completion.ts';
import { findingAdd, findingList, findingShow, findingStatus } from './finding.ts';
import { init, quota } from './project.ts';
import { reportList, reportShow, reportValidate } from './report.ts';
import { progress, scanAbort, scanFinish, scanStart } from './scan.ts';

export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  init,
  quota,
  scanStart,
  scanFinish,
  scanAbort,
  progress,
  findingAdd,
  findingList,
  findingShow,
  findingStatus,
  reportShow,
  reportList,
  reportValidate,
  completion,
];
