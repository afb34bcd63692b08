/** Every command, in the order in which help lists them. */
import type { Command } from '../command.ts';
import { login, logout, whoami } from './account.ts';
import { init, quota } from './project.ts';

export const commands: readonly Command[] = [login, logout, whoami, init, quota];
