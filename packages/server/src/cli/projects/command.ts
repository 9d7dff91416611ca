import { Command } from 'commander';
import { createCommand } from '../command.ts';
import { PROJECT_APP_CHECK_OPTIONS } from './app-check-options.ts';
import { PROJECT_FUNCTIONS_OPTIONS, PROJECT_NATIVE_APPS_OPTIONS } from './external/options.ts';
import { PROJECT_LOOK_OPTIONS } from './look-options.ts';
import {
  PROJECT_CAPTCHA_OPTIONS,
  PROJECT_CREATE_OPTIONS,
  PROJECT_KEYS_OPTIONS,
  PROJECT_OPTIONS,
  PROJECT_ROLES_OPTIONS,
  PROJECT_SIGN_IN_OPTIONS,
  PROJECT_SMS_OPTIONS,
} from './options.ts';
import { PROJECT_PROVIDERS_OPTIONS } from './provider-options.ts';
import { PROJECT_SIGN_UP_OPTIONS } from './sign-up-options.ts';
import { PROJECT_TENANTS_OPTIONS } from './tenant-options.ts';

/**
 * Creates the command `hearth project` with its subcommands. `program` is the root command, whose settings
 * they inherit.
 */
export function createProjectCommand(program: Command): Command {
  const group = new Command('project').description(
    'Manage the projects of a running server, and their keys.',
  );
  const commands = [
    createCommand({
      name: 'create',
      help: 'Create a project with a first API key.',
      argument: { name: '<id>', help: '1 to 50 lowercase letters, digits and inner hyphens' },
      options: PROJECT_CREATE_OPTIONS,
      load: async () => (await import('./sign-in.ts')).runProjectCreate,
    }),
    createCommand({
      name: 'list',
      help: 'List the projects.',
      options: PROJECT_OPTIONS,
      load: async () => (await import('./manage.ts')).runProjectList,
    }),
    createCommand({
      name: 'keys',
      help: 'List, create and revoke API keys and service account keys.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_KEYS_OPTIONS,
      load: async () => (await import('./manage.ts')).runProjectKeys,
    }),
    createCommand({
      name: 'sign-in',
      help: 'List the sign-in methods of a project, and switch them on and off.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_SIGN_IN_OPTIONS,
      load: async () => (await import('./sign-in.ts')).runProjectSignIn,
    }),
    createCommand({
      name: 'sign-up',
      help: 'Show, set and explain the rules for new accounts of a project.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_SIGN_UP_OPTIONS,
      load: async () => (await import('./sign-up.ts')).runProjectSignUp,
    }),
    createCommand({
      name: 'sms',
      help: 'Show and set how a project sends text messages, and what for.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_SMS_OPTIONS,
      load: async () => (await import('./sms.ts')).runProjectSms,
    }),
    createCommand({
      name: 'providers',
      help: 'Show and set the identity providers with which users sign in.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_PROVIDERS_OPTIONS,
      load: async () => (await import('./providers.ts')).runProjectProviders,
    }),
    createCommand({
      name: 'captcha',
      help: 'Show and set for which requests a project requires solved challenges.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_CAPTCHA_OPTIONS,
      load: async () => (await import('./captcha.ts')).runProjectCaptcha,
    }),
    createCommand({
      name: 'app-check',
      help: 'Show and set where a project requires App Check tokens, and for which apps there are any.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_APP_CHECK_OPTIONS,
      load: async () => (await import('./app-check.ts')).runProjectAppCheck,
    }),
    createCommand({
      name: 'functions',
      help: 'Show, set and test the functions that decide about sign-ups, sign-ins and messages.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_FUNCTIONS_OPTIONS,
      load: async () => (await import('./external/functions.ts')).runProjectFunctions,
    }),
    createCommand({
      name: 'native-apps',
      help: 'Show and set the native apps that use the passkeys of a project.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_NATIVE_APPS_OPTIONS,
      load: async () => (await import('./external/native-apps.ts')).runProjectNativeApps,
    }),
    createCommand({
      name: 'look',
      help: 'Show and set the name, colors and logo of the hosted pages and emails of a project.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_LOOK_OPTIONS,
      load: async () => (await import('./look.ts')).runProjectLook,
    }),
    createCommand({
      name: 'tenants',
      help: 'List, create, change and delete the tenants of a project.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_TENANTS_OPTIONS,
      load: async () => (await import('./tenants.ts')).runProjectTenants,
    }),
    createCommand({
      name: 'roles',
      help: 'List and change the roles of service accounts and members.',
      argument: { name: '<id>', help: 'project ID' },
      options: PROJECT_ROLES_OPTIONS,
      load: async () => (await import('./roles.ts')).runProjectRoles,
    }),
  ];
  group.copyInheritedSettings(program);
  for (const command of commands) group.addCommand(command.copyInheritedSettings(group));
  return group;
}
