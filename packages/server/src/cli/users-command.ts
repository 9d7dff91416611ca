import { Command } from 'commander';
import {
  USERS_CREATE_OPTIONS,
  USERS_DISABLE_OPTIONS,
  USERS_IMPORT_OPTIONS,
  USERS_OPTIONS,
} from '../ops/users-options.ts';
import { createCommand } from './command.ts';

/** `hearth users` with its commands. `program` is the one it is for. */
export function createUsersCommand(program: Command): Command {
  const group = new Command('users').description('Import, export and look after the accounts of a project.');
  const who = { name: '<user>', help: 'user id or e-mail address' };
  const commands = [
    createCommand({
      name: 'import',
      help: 'Send accounts with their passwords to a running server; given again, it changes nothing more.',
      argument: { name: '<file>', help: 'file of accounts, .json or .csv, compressed if it ends in .gz' },
      options: USERS_IMPORT_OPTIONS,
      load: async () => (await import('./users-import.ts')).runUsersImport,
    }),
    createCommand({
      name: 'export',
      help: 'Write the accounts of a running server to a file, with their password hashes.',
      argument: { name: '<file>', help: 'file to write, .json or .csv, compressed if it ends in .gz' },
      options: USERS_OPTIONS,
      load: async () => (await import('./users-export.ts')).runUsersExport,
    }),
    createCommand({
      name: 'create',
      help: 'Make an account, and print its user id.',
      options: USERS_CREATE_OPTIONS,
      load: async () => (await import('./users-create.ts')).runUsersCreate,
    }),
    createCommand({
      name: 'disable',
      help: 'Sign somebody out everywhere, and let them in no more.',
      argument: who,
      options: USERS_DISABLE_OPTIONS,
      load: async () => (await import('./users-disable.ts')).runUsersDisable,
    }),
    createCommand({
      name: 'reset',
      help: 'Print a link with which somebody chooses a new password.',
      argument: who,
      options: USERS_OPTIONS,
      load: async () => (await import('./users-reset.ts')).runUsersReset,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
