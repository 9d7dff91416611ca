import { Command } from 'commander';
import { createCommand } from '../command.ts';
import {
  USERS_CREATE_OPTIONS,
  USERS_DISABLE_OPTIONS,
  USERS_IMPORT_OPTIONS,
  USERS_OPTIONS,
  USERS_VERIFY_IMPORT_OPTIONS,
} from './options.ts';

/**
 * Creates the command `hearth users` with its subcommands. `program` is the root command, whose settings they
 * inherit.
 */
export function createUsersCommand(program: Command): Command {
  const group = new Command('users').description('Import, export and manage the accounts of a project.');
  const userArgument = { name: '<user>', help: 'user ID or email address' };
  const commands = [
    createCommand({
      name: 'import',
      help: 'Import accounts with their passwords into a running server; safe to run again.',
      argument: { name: '<file>', help: 'account file, .json or .csv, compressed if it ends in .gz' },
      options: USERS_IMPORT_OPTIONS,
      load: async () => (await import('./import.ts')).runUsersImport,
    }),
    createCommand({
      name: 'verify-import',
      help: 'Check, before an import, that one known password matches its hash in an account file.',
      argument: { name: '<file>', help: 'account file, .json or .csv, compressed if it ends in .gz' },
      options: USERS_VERIFY_IMPORT_OPTIONS,
      load: async () => (await import('./verify-import.ts')).runUsersVerifyImport,
    }),
    createCommand({
      name: 'export',
      help: 'Export the accounts of a running server to a file, with their password hashes.',
      argument: { name: '<file>', help: 'new account file, .json or .csv, compressed if it ends in .gz' },
      options: USERS_OPTIONS,
      load: async () => (await import('./export.ts')).runUsersExport,
    }),
    createCommand({
      name: 'create',
      help: 'Create an account and print its user ID.',
      options: USERS_CREATE_OPTIONS,
      load: async () => (await import('./manage.ts')).runUsersCreate,
    }),
    createCommand({
      name: 'disable',
      help: 'Disable an account, and sign its user out everywhere.',
      argument: userArgument,
      options: USERS_DISABLE_OPTIONS,
      load: async () => (await import('./manage.ts')).runUsersDisable,
    }),
    createCommand({
      name: 'reset',
      help: 'Print a link that lets the user choose a new password.',
      argument: userArgument,
      options: USERS_OPTIONS,
      load: async () => (await import('./manage.ts')).runUsersReset,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
