import { type OptionSpec, parseInteger, single, switchOption } from '../../platform/option.ts';
import { SERVER_OPTIONS } from '../options.ts';

function textOption(
  flag: string,
  help: string,
  environment: string | null = null,
): OptionSpec<string | null> {
  return { flag, environment, help, fallback: null, isRepeatable: false, parse: single((text) => text) };
}

function numberOption(flag: string, help: string): OptionSpec<number | null> {
  return {
    flag,
    environment: null,
    help,
    fallback: null,
    isRepeatable: false,
    parse: single((text, name): number | null => parseInteger(text, name, 0, 2 ** 24)),
  };
}

/** Options of every command about the accounts of a project. */
const ACCOUNTS_OPTIONS = {
  url: SERVER_OPTIONS.url,
  data: SERVER_OPTIONS.data,
  project: { ...SERVER_OPTIONS.project, help: 'project whose accounts to use' },
  tenant: textOption('--tenant <tenant>', 'tenant whose accounts to use, instead of those without a tenant'),
  token: SERVER_OPTIONS.token,
} as const satisfies Record<string, OptionSpec<unknown>>;

/** Options that say how the passwords of an account file were hashed. */
export const HASH_OPTIONS = {
  hashAlgo: textOption('--hash-algo <name>', 'hash algorithm of the passwords, such as SCRYPT or BCRYPT'),
  hashKey: textOption('--hash-key <base64>', 'key of SCRYPT and HMAC algorithms', 'HEARTH_HASH_KEY'),
  saltSeparator: textOption('--salt-separator <base64>', 'separator between salt and password'),
  rounds: numberOption('--rounds <number>', 'rounds of SCRYPT, PBKDF2 and digests'),
  memCost: numberOption(
    '--mem-cost <number>',
    'memory cost of SCRYPT, CPU and memory cost of STANDARD_SCRYPT',
  ),
  parallelization: numberOption('--parallelization <number>', 'parallelization of STANDARD_SCRYPT'),
  blockSize: numberOption('--block-size <number>', 'block size of STANDARD_SCRYPT'),
  dkLen: numberOption('--dk-len <number>', 'bytes of a hash of STANDARD_SCRYPT'),
  hashInputOrder: textOption(
    '--hash-input-order <order>',
    'SALT_FIRST, the default of digests, or PASSWORD_FIRST, the default of HMAC algorithms',
  ),
  hashParameters: textOption(
    '--hash-parameters <file>',
    'hash parameters file; without it, the one that hearth users export wrote next to the accounts',
  ),
} as const satisfies Record<string, OptionSpec<unknown>>;

export const USERS_IMPORT_OPTIONS = {
  ...ACCOUNTS_OPTIONS,
  ...HASH_OPTIONS,
  keepExisting: switchOption('--keep-existing', 'reject accounts that exist, instead of replacing them'),
  dryRun: switchOption('--dry-run', 'change nothing; count the accounts in the file and those that exist'),
} as const satisfies Record<string, OptionSpec<unknown>>;

export const USERS_VERIFY_IMPORT_OPTIONS = {
  ...HASH_OPTIONS,
  email: textOption('--email <address>', 'email address of the account whose password you know'),
} as const satisfies Record<string, OptionSpec<unknown>>;

/**
 * The known password of `hearth users verify-import`. It is not an option of the command line, because other users
 * can read command lines.
 */
export const SAMPLE_PASSWORD = textOption(
  'HEARTH_SAMPLE_PASSWORD',
  'known password',
  'HEARTH_SAMPLE_PASSWORD',
);

/** Options of `hearth users export` and `hearth users reset`. */
export const USERS_OPTIONS = ACCOUNTS_OPTIONS;

export const USERS_CREATE_OPTIONS = {
  ...ACCOUNTS_OPTIONS,
  email: textOption('--email <address>', 'email address'),
  uid: textOption('--uid <name>', 'user ID; without it, a new one'),
  name: textOption('--name <name>', 'display name'),
  phone: textOption('--phone <number>', 'phone number, such as +15555550100'),
  verified: switchOption('--verified', 'mark the email address as verified'),
  passwordStdin: switchOption('--password-stdin', 'read a password from standard input'),
} as const satisfies Record<string, OptionSpec<unknown>>;

export const USERS_DISABLE_OPTIONS = {
  ...ACCOUNTS_OPTIONS,
  undo: switchOption('--undo', 'enable the account again'),
} as const satisfies Record<string, OptionSpec<unknown>>;
