import { Command } from 'commander';
import { PROJECT_KEYS_OPTIONS, PROJECT_OPTIONS } from '../ops/project-options.ts';
import { createCommand } from './command.ts';

/** `hearth project` with its commands. `program` is the one it is for. */
export function createProjectCommand(program: Command): Command {
  const group = new Command('project').description('Make projects on a running server, and their keys.');
  const commands = [
    createCommand({
      name: 'create',
      help: 'Make a project, with a first API key.',
      argument: { name: '<id>', help: '1 to 50 lower-case letters, digits and inner hyphens' },
      options: PROJECT_OPTIONS,
      load: async () => (await import('./project-create.ts')).runProjectCreate,
    }),
    createCommand({
      name: 'list',
      help: 'List the projects.',
      options: PROJECT_OPTIONS,
      load: async () => (await import('./project-list.ts')).runProjectList,
    }),
    createCommand({
      name: 'keys',
      help: 'List, make and revoke API keys and keys of service accounts.',
      argument: { name: '<id>', help: 'project' },
      options: PROJECT_KEYS_OPTIONS,
      load: async () => (await import('./project-keys.ts')).runProjectKeys,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
