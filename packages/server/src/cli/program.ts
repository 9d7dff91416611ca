import { Command } from 'commander';
import { readVersion } from '../platform/process.ts';
import { SERVE_OPTIONS } from '../platform/serve-options.ts';
import { OPTIONS } from '../platform/server-options.ts';
import { createClusterCommand } from './cluster/command.ts';
import { createCommand } from './command.ts';
import {
  BACKUP_OPTIONS,
  DOCTOR_OPTIONS,
  EXPORT_OPTIONS,
  IMPORT_OPTIONS,
  RESTORE_OPTIONS,
} from './options.ts';
import { createProjectCommand } from './projects/command.ts';
import { createRulesCommand } from './rules/command.ts';
import { createUsersCommand } from './users/command.ts';

/** Creates the command line. Parsing throws a `CommanderError` instead of exiting. */
export function createProgram(): Command {
  const program = new Command('hearth')
    .description('A Realtime Database server for Firebase clients.')
    .version(readVersion())
    .exitOverride()
    .configureOutput({ outputError: (text, write) => write(formatParseError(text)) });
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
      help: 'Export data of a running server to a JSON file.',
      argument: { name: '<file>', help: 'compressed if it ends in .gz; - for standard output' },
      options: EXPORT_OPTIONS,
      load: async () => (await import('./transfer/export.ts')).runExport,
    }),
    createCommand({
      name: 'import',
      help: 'Import a JSON file into a running server; run the command again to resume.',
      argument: { name: '<file>', help: 'compressed if it ends in .gz' },
      options: IMPORT_OPTIONS,
      load: async () => (await import('./transfer/import.ts')).runImport,
    }),
    createCommand({
      name: 'backup',
      help: 'Copy a data directory, even while a server uses it.',
      argument: { name: '<destination>', help: 'directory for the copy; must be empty or new' },
      options: BACKUP_OPTIONS,
      load: async () => (await import('./backup.ts')).runBackup,
    }),
    createCommand({
      name: 'restore',
      help: 'Restore a backup into a new data directory.',
      argument: { name: '<backup>', help: 'directory that `hearth backup` wrote' },
      options: RESTORE_OPTIONS,
      load: async () => (await import('./backup.ts')).runRestore,
    }),
    createCommand({
      name: 'doctor',
      help: 'Check a data directory, or a running server from outside, and report problems.',
      options: DOCTOR_OPTIONS,
      load: async () => (await import('./doctor.ts')).runDoctor,
    }),
  ];
  for (const command of [
    ...commands,
    createClusterCommand(program),
    createProjectCommand(program),
    createRulesCommand(program),
    createUsersCommand(program),
  ])
    program.addCommand(command.copyInheritedSettings(program));
  return program;
}

/** Formats an error such as `error: unknown option '--prt'\n(Did you mean --port?)` on one line. */
function formatParseError(text: string): string {
  return `${text
    .replace(/^error: /, 'hearth: ')
    .trim()
    .replace(/\s*\n\s*/g, ' ')}\n`;
}
