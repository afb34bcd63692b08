/** Every command except the hidden ones, in the order in which help lists them. */
import type { Command } from '../command.ts';
import { login, logout, whoami } from './account.ts';
import { analyticsOff, analyticsOn, analyticsStatus } from './analytics.ts';
import { completionOf } from './completion.ts';
import { findingAdd, findingList, findingShow, findingStatus } from './finding.ts';
import { compare, exportReport } from './handing-on.ts';
import { manifestKeygen, manifestSign, manifestVerify } from './manifest.ts';
import { init, quota } from './project.ts';
import { reportList, reportShow, reportValidate } from './report.ts';
import { progress, scan, scanAbort, scanFinish, scanStart } from './scan.ts';
import { open, sync, watch } from './sync.ts';
import { updateApply, updateCheck } from './update.ts';
import { showVersion } from './version.ts';

export const commands: readonly Command[] = [
  login,
  logout,
  whoami,
  init,
  quota,
  scan,
  sync,
  watch,
  open,
  exportReport,
  compare,
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
  updateCheck,
  updateApply,
  manifestKeygen,
  manifestSign,
  manifestVerify,
  analyticsStatus,
  analyticsOff,
  analyticsOn,
  completionOf(() => commands),
  showVersion,
];
