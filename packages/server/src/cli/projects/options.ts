import { CAPTCHA_STATES } from '../../auth/projects/captcha-settings.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type OptionSpec, single, switchOption } from '../../platform/option.ts';
import { SERVER_OPTIONS } from '../options.ts';

export const PROJECT_OPTIONS = {
  data: SERVER_OPTIONS.data,
  url: { ...SERVER_OPTIONS.url, help: 'address of the server, if it runs elsewhere; needs --token' },
  token: { ...SERVER_OPTIONS.token, help: 'credential of an administrator of the whole server' },
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The sign-in methods of a project that the command line switches. */
export const SIGN_IN_METHODS = ['password', 'email-link', 'anonymous', 'passkey', 'totp'] as const;
export type SignInMethodName = (typeof SIGN_IN_METHODS)[number];

function methodsOption(flag: string, help: string): OptionSpec<readonly SignInMethodName[]> {
  return {
    flag,
    environment: null,
    help: `${help}; may be repeated`,
    fallback: noMethods(),
    isRepeatable: true,
    parse: (texts, name) => texts.map((text) => parseMethod(text, name)),
  };
}

const AUTHORIZE_DOMAIN: OptionSpec<readonly string[]> = {
  flag: '--authorize-domain <host>',
  environment: null,
  help: 'add a host of the app to which links in emails may lead; may be repeated',
  fallback: noTexts(),
  isRepeatable: true,
  parse: (texts) => texts,
};

const ENABLE = methodsOption(
  '--enable <method>',
  `switch on a sign-in method: ${SIGN_IN_METHODS.join(', ')}`,
);

export const PROJECT_CREATE_OPTIONS = {
  ...PROJECT_OPTIONS,
  enable: ENABLE,
  authorizeDomain: AUTHORIZE_DOMAIN,
} as const satisfies Record<string, OptionSpec<unknown>>;

export const PROJECT_SIGN_IN_OPTIONS = {
  ...PROJECT_CREATE_OPTIONS,
  disable: methodsOption('--disable <method>', 'switch off a sign-in method'),
  passkeyDomain: nameOption(
    '--passkey-domain <host>',
    'domain for which passkeys are valid, instead of the host of the server; a change makes all passkeys unusable',
  ),
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The purposes for which a project uses text messages. */
const SMS_USES = ['sign-in', 'second-factor'] as const;

export const PROJECT_SMS_OPTIONS = {
  ...PROJECT_OPTIONS,
  service: nameOption(
    '--service <name>',
    'service that sends the messages: twilio, vonage, the https address of a webhook, or none; HEARTH_SMS_SECRET sets its secret',
  ),
  account: nameOption('--account <id>', 'account SID of Twilio, or API key of Vonage'),
  from: nameOption(
    '--from <sender>',
    'sender number or name; for Twilio also the SID of a messaging service',
  ),
  country: {
    flag: '--country <code>',
    environment: null,
    help: 'country whose numbers get messages, such as DE; may be repeated; replaces the other countries',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  } satisfies OptionSpec<readonly string[]>,
  use: {
    flag: '--use <purpose>',
    environment: null,
    help: 'switch on a use of messages: sign-in, second-factor; may be repeated',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts, name) => {
      const unknown = texts.find((text) => !SMS_USES.some((use) => use === text));
      if (unknown === undefined) return texts;
      throw new StartFailure(`${name} must be ${SMS_USES.join(' or ')}, not "${unknown}".`);
    },
  } satisfies OptionSpec<readonly string[]>,
  spend: nameOption(
    '--spend <amount>',
    'amount that the project spends on messages a day; needs --price, and 0 ends the limit',
  ),
  price: {
    flag: '--price <country=amount>',
    environment: null,
    help: 'price of a message to a country, such as DE=0.08, or to all others: default=0.10; may be repeated',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  } satisfies OptionSpec<readonly string[]>,
  voip: {
    flag: '--voip <answer>',
    environment: null,
    help: 'whether numbers of internet telephony get messages: allow or reject',
    fallback: null,
    isRepeatable: false,
    parse: single((text, name): string | null => {
      if (text === 'allow' || text === 'reject') return text;
      throw new StartFailure(`${name} must be allow or reject, not "${text}".`);
    }),
  } satisfies OptionSpec<string | null>,
  resume: nameOption(
    '--resume <code>',
    'allow messages again to a country that is paused because few codes were entered',
  ),
  unproven: switchOption(
    '--unproven',
    'send messages to clients that prove nothing, within a tenth of the budgets; without it, pages solve a challenge for each message',
  ),
} as const satisfies Record<string, OptionSpec<unknown>>;

function stateOption(flag: string, help: string): OptionSpec<string | null> {
  return {
    flag: `${flag} <state>`,
    environment: null,
    help: `${help}: off, audit (only recorded) or enforce`,
    fallback: null,
    isRepeatable: false,
    parse: single((text, name) => {
      const state = CAPTCHA_STATES.find((known) => known === text.toUpperCase());
      if (state === undefined)
        throw new StartFailure(`${name} must be off, audit or enforce, not "${text}".`);
      return state;
    }),
  };
}

export const PROJECT_CAPTCHA_OPTIONS = {
  ...PROJECT_OPTIONS,
  passwords: stateOption('--passwords', 'solved challenges for sign-up, sign-in and emails with codes'),
  sms: stateOption('--sms', 'solved challenges for text messages'),
  cost: {
    flag: '--cost <rounds>',
    environment: null,
    help: 'cost of a challenge for a network without failures, in rounds of PBKDF2',
    fallback: null,
    isRepeatable: false,
    parse: single((text, name) => {
      if (!/^\d{1,9}$/.test(text)) throw new StartFailure(`${name} must be a whole number, not "${text}".`);
      return Number(text);
    }),
  } satisfies OptionSpec<number | null>,
  recaptcha: nameOption(
    '--recaptcha <key>',
    'site key of reCAPTCHA to use in place of challenges, or none; HEARTH_RECAPTCHA_SECRET sets its secret',
  ),
  recaptchaVerifier: nameOption(
    '--recaptcha-verifier <key>',
    'site key of reCAPTCHA for RecaptchaVerifier; HEARTH_RECAPTCHA_VERIFIER_SECRET sets its secret',
  ),
  lowestScore: {
    flag: '--lowest-score <score>',
    environment: null,
    help: 'lowest score of reCAPTCHA that is accepted, from 0 to 1',
    fallback: null,
    isRepeatable: false,
    parse: single((text, name) => {
      if (!/^(?:0(?:\.\d{1,3})?|1(?:\.0{1,3})?)$/.test(text))
        throw new StartFailure(`${name} must be a number from 0 to 1, not "${text}".`);
      return Number(text);
    }),
  } satisfies OptionSpec<number | null>,
  test: switchOption('--test', 'ask reCAPTCHA whether it accepts the stored secrets'),
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The secret of the SMS service. No flag sets it, because all users of the machine can read command lines. */
export const SMS_SECRET: OptionSpec<string> = {
  flag: '',
  environment: 'HEARTH_SMS_SECRET',
  help: '',
  fallback: '',
  isRepeatable: false,
  parse: single((text): string => text),
};

const ROLE: OptionSpec<readonly string[]> = {
  flag: '--role <role>',
  environment: null,
  help: 'role of a new service account; may be repeated; without it, the roles that the backend of an app needs',
  fallback: noTexts(),
  isRepeatable: true,
  parse: (texts) => texts,
};

export const PROJECT_ROLES_OPTIONS = {
  ...PROJECT_OPTIONS,
  serviceAccount: nameOption('--service-account <name>', 'service account to give the roles of --role'),
  member: nameOption('--member <email>', 'member to give the role of --role: owner, editor or viewer'),
  role: { ...ROLE, help: 'new role; may be repeated for a service account; replaces its other roles' },
} as const satisfies Record<string, OptionSpec<unknown>>;

export const PROJECT_KEYS_OPTIONS = {
  ...PROJECT_OPTIONS,
  new: switchOption('--new', 'create another API key, or with --service-account a key file'),
  revoke: nameOption(
    '--revoke <key>',
    'revoke an API key, or a key of the service account that --service-account names',
  ),
  serviceAccount: nameOption(
    '--service-account <name>',
    'create a key file for a service account; creates the account if it does not exist',
  ),
  role: ROLE,
  out: {
    flag: '--out <file>',
    environment: null,
    help: 'path of the key file; without it, <name>@<project>.json in the current directory',
    fallback: nothing(),
    isRepeatable: false,
    parse: single((text, name): string | null => {
      if (text === '' || text.includes('\0')) throw new StartFailure(`${name} must name a file.`);
      return text;
    }),
  },
} as const satisfies Record<string, OptionSpec<unknown>>;

export function nameOption(flag: string, help: string): OptionSpec<string | null> {
  return {
    flag,
    environment: null,
    help,
    fallback: null,
    isRepeatable: false,
    parse: single((text): string | null => text),
  };
}

function parseMethod(text: string, name: string): SignInMethodName {
  const method = SIGN_IN_METHODS.find((one) => one === text);
  if (method !== undefined) return method;
  throw new StartFailure(`${name} must be ${SIGN_IN_METHODS.join(', ')}, not "${text}".`);
}

function noMethods(): readonly SignInMethodName[] {
  return [];
}

function nothing(): string | null {
  return null;
}

export function noTexts(): readonly string[] {
  return [];
}
