/** The commands of the program, in the order of the help. */
import { auditVerify } from './audit-verify/description.ts';
import { backup, backupVerify } from './backup/description.ts';
import { doctor } from './doctor/description.ts';
import { endSessions } from './end-sessions/description.ts';
import { exportAccount } from './export-account/description.ts';
import type { Command } from './frame/command.ts';
import { migrate } from './migrate/description.ts';

export const commands: readonly Command[] = [
  doctor,
  migrate,
  backup,
  backupVerify,
  auditVerify,
  endSessions,
  exportAccount,
];
