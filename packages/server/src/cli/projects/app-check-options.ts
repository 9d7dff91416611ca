import { APP_CHECK_MODES } from '@hearth/core/api/app-check.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type OptionSpec, single, switchOption } from '../../platform/option.ts';
import { nameOption, noTexts, PROJECT_OPTIONS } from './options.ts';

function modeOption(flag: string, help: string): OptionSpec<string | null> {
  return {
    flag: `${flag} <mode>`,
    environment: null,
    help: `${help}: off, unenforced (only counted) or enforced`,
    fallback: null,
    isRepeatable: false,
    parse: single((text, name) => {
      const mode = APP_CHECK_MODES.find((known) => known === text.toUpperCase());
      if (mode === undefined)
        throw new StartFailure(`${name} must be off, unenforced or enforced, not "${text}".`);
      return mode;
    }),
  };
}

function appsOption(flag: string, help: string): OptionSpec<readonly string[]> {
  return {
    flag: `${flag} <app>`,
    environment: null,
    help: `${help}; may be repeated`,
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  };
}

/** Options of `hearth project app-check`. */
export const PROJECT_APP_CHECK_OPTIONS = {
  ...PROJECT_OPTIONS,
  accounts: modeOption('--accounts', 'tokens for sign-in and accounts'),
  database: modeOption('--database', 'tokens for the databases of the project'),
  addApp: appsOption('--add-app', 'ID of an app that gets tokens, such as 1:1234:web:abcd'),
  removeApp: appsOption('--remove-app', 'ID of an app whose tokens become invalid'),
  limitedUse: {
    flag: '--limited-use <method>',
    environment: null,
    help: 'method that needs a token for each request, such as accounts:signUp, or none; may be repeated; replaces the others',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  } satisfies OptionSpec<readonly string[]>,
  debugTokenFor: nameOption('--debug-token-for <app>', 'create a debug token of an app, and print it once'),
  revokeDebugToken: nameOption(
    '--revoke-debug-token <name>',
    'remove a debug token; the list shows the names',
  ),
  requests: switchOption('--requests', 'show how many requests had which tokens since the server started'),
} as const satisfies Record<string, OptionSpec<unknown>>;
