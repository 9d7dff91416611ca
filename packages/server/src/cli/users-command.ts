import { Command } from 'commander';
import {
  USERS_CREATE_OPTIONS,
  USERS_DISABLE_OPTIONS,
  USERS_IMPORT_OPTIONS,
  USERS_OPTIONS,
} from '../ops/users-options.ts';
import { createCommand } from './command.ts';
import { runUsersCreate } from './users-create.ts';
import { runUsersDisable } from './users-disable.ts';
import { runUsersExport } from './users-export.ts';
import { runUsersImport } from './users-import.ts';
import { runUsersReset } from './users-reset.ts';

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
      run: runUsersImport,
    }),
    createCommand({
      name: 'export',
      help: 'Write the accounts of a running server to a file, with their password hashes.',
      argument: { name: '<file>', help: 'file to write, .json or .csv, compressed if it ends in .gz' },
      options: USERS_OPTIONS,
      run: runUsersExport,
    }),
    createCommand({
      name: 'create',
      help: 'Make an account, and print its user id.',
      options: USERS_CREATE_OPTIONS,
      run: runUsersCreate,
    }),
    createCommand({
      name: 'disable',
      help: 'Sign somebody out everywhere, and let them in no more.',
      argument: who,
      options: USERS_DISABLE_OPTIONS,
      run: runUsersDisable,
    }),
    createCommand({
      name: 'reset',
      help: 'Print a link with which somebody chooses a new password.',
      argument: who,
      options: USERS_OPTIONS,
      run: runUsersReset,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
