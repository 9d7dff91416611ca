import { StartFailure } from '../../platform/failures.ts';
import type { OptionSpec } from '../../platform/option.ts';
import { nameOption, noTexts, PROJECT_OPTIONS } from './options.ts';

/** The sign-in methods of a tenant that the command line switches, by the members of its settings. */
export const TENANT_METHODS = {
  password: 'allowPasswordSignup',
  'email-link': 'enableEmailLinkSignin',
  anonymous: 'enableAnonymousUser',
} as const;

function methodsOption(flag: string, help: string): OptionSpec<readonly string[]> {
  const known = Object.keys(TENANT_METHODS);
  return {
    flag: `${flag} <method>`,
    environment: null,
    help: `${help}: ${known.join(', ')}; may be repeated`,
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts, name) => {
      const unknown = texts.find((text) => !known.includes(text));
      if (unknown === undefined) return texts;
      throw new StartFailure(`${name} must be ${known.join(', ')}, not "${unknown}".`);
    },
  };
}

/** Options of `hearth project tenants`. */
export const PROJECT_TENANTS_OPTIONS = {
  ...PROJECT_OPTIONS,
  create: nameOption('--create <name>', 'create a tenant with this display name, and print its ID'),
  tenant: nameOption('--tenant <tenant>', 'ID of the tenant that --enable and --disable change'),
  enable: methodsOption('--enable', 'switch on a sign-in method of the new or named tenant'),
  disable: methodsOption('--disable', 'switch off a sign-in method of the named tenant'),
  delete: nameOption('--delete <tenant>', 'ID of a tenant to delete with all its accounts'),
} as const satisfies Record<string, OptionSpec<unknown>>;
