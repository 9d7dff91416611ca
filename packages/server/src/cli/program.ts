import { Command } from 'commander';
import {
  BACKUP_OPTIONS,
  DOCTOR_OPTIONS,
  EXPORT_OPTIONS,
  IMPORT_OPTIONS,
  RESTORE_OPTIONS,
} from '../ops/command-options.ts';
import { OPTIONS } from '../ops/options.ts';
import { SERVE_OPTIONS } from '../ops/serve-options.ts';
import { readVersion } from '../ops/version.ts';
import { createCommand } from './command.ts';
import { createProjectCommand } from './project-command.ts';
import { createRulesCommand } from './rules-command.ts';
import { createUsersCommand } from './users-command.ts';

/** The command line. Parsing throws a `CommanderError` instead of ending the process. */
export function createProgram(): Command {
  const program = new Command('hearth')
    .description('A Realtime Database server for the clients of Firebase.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(oneSentence(text)) });
  const commands = [
    createCommand({
      name: 'dev',
      help: 'Serve in development mode, on this machine only.',
      options: OPTIONS,
      load: async () => (await import('./dev.ts')).runDev,
    }),
    createCommand({
      name: 'serve',
      help: 'Serve to the network, with accounts and projects.',
      options: SERVE_OPTIONS,
      load: async () => (await import('./serve.ts')).runServe,
    }),
    createCommand({
      name: 'export',
      help: 'Write data of a running server to a file, as JSON.',
      argument: { name: '<file>', help: 'compressed if it ends in .gz; - for standard output' },
      options: EXPORT_OPTIONS,
      load: async () => (await import('./export.ts')).runExport,
    }),
    createCommand({
      name: 'import',
      help: 'Send a file of JSON to a running server; given again, it goes on where it stood.',
      argument: { name: '<file>', help: 'compressed if it ends in .gz' },
      options: IMPORT_OPTIONS,
      load: async () => (await import('./import.ts')).runImport,
    }),
    createCommand({
      name: 'backup',
      help: 'Copy a data directory, also while a server uses it.',
      argument: { name: '<destination>', help: 'directory for the copy; must be empty or new' },
      options: BACKUP_OPTIONS,
      load: async () => (await import('./backup.ts')).runBackup,
    }),
    createCommand({
      name: 'restore',
      help: 'Make a data directory out of a backup.',
      argument: { name: '<backup>', help: 'directory that `hearth backup` has written' },
      options: RESTORE_OPTIONS,
      load: async () => (await import('./restore.ts')).runRestore,
    }),
    createCommand({
      name: 'doctor',
      help: 'Look at all of a data directory, and tell what is found.',
      options: DOCTOR_OPTIONS,
      load: async () => (await import('./doctor.ts')).runDoctor,
    }),
  ];
  for (const command of [
    ...commands,
    createProjectCommand(program),
    createRulesCommand(program),
    createUsersCommand(program),
  ])
    program.addCommand(command.copyInheritedSettings(program));
  return program;
}

/** `error: unknown option '--prt'\n(Did you mean --port?)` on one line. */
function oneSentence(text: string): string {
  return `${text
    .replace(/^error: /, 'hearth: ')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
}
