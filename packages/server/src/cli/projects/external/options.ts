import { HOOK_EVENTS, type HookEvent } from '../../../auth/projects/hook-settings.ts';
import { StartFailure } from '../../../platform/failures.ts';
import { type OptionSpec, single, switchOption } from '../../../platform/option.ts';
import { PROJECT_OPTIONS } from '../options.ts';

/** The value of a function's option: the event, and the text after `=`. */
export type EventText = readonly [event: HookEvent, text: string];

const EVENTS = HOOK_EVENTS.join(', ');

function parseEvent(text: string, name: string): HookEvent {
  const event = HOOK_EVENTS.find((known) => known === text);
  if (event === undefined) throw new StartFailure(`${name} must name one of ${EVENTS}, not "${text}".`);
  return event;
}

function eventTextOption(flag: string, help: string): OptionSpec<readonly EventText[]> {
  return {
    flag: `${flag} <event=url>`,
    environment: null,
    help: `${help}; may be repeated`,
    fallback: [],
    isRepeatable: true,
    parse: (texts, name) =>
      texts.map((text) => {
        const end = text.indexOf('=');
        if (end < 0)
          throw new StartFailure(`${name} must be an event and an address, such as beforeCreate=https://…`);
        return [parseEvent(text.slice(0, end), name), text.slice(end + 1)];
      }),
  };
}

function eventsOption(flag: string, help: string): OptionSpec<readonly HookEvent[]> {
  return {
    flag: `${flag} <event>`,
    environment: null,
    help: `${help}; may be repeated`,
    fallback: [],
    isRepeatable: true,
    parse: (texts, name) => texts.map((text) => parseEvent(text, name)),
  };
}

/** Options of `hearth project functions`. */
export const PROJECT_FUNCTIONS_OPTIONS = {
  ...PROJECT_OPTIONS,
  function: eventTextOption(
    '--function',
    `function that decides about an event (${EVENTS}), such as beforeCreate=https://functions.example.com/create`,
  ),
  audience: eventTextOption('--audience', 'audience of the tokens with the event, instead of the address'),
  failOpen: eventsOption('--fail-open', 'send a message although the function failed'),
  failClosed: eventsOption('--fail-closed', 'send no message if the function failed'),
  remove: eventsOption('--remove', 'remove the function of an event'),
  test: eventsOption('--test', 'ask the function of an event about a user who does not exist'),
} as const satisfies Record<string, OptionSpec<unknown>>;

function appsOption(flag: string, help: string): OptionSpec<readonly string[]> {
  return {
    flag,
    environment: null,
    help: `${help}; may be repeated; replaces the others`,
    fallback: [],
    isRepeatable: true,
    parse: (texts) => texts,
  };
}

const HEX_HASH = /^(?:[0-9a-f]{2}:?){31}[0-9a-f]{2}$/i;

/** Options of `hearth project native-apps`. */
export const PROJECT_NATIVE_APPS_OPTIONS = {
  ...PROJECT_OPTIONS,
  androidApp: appsOption('--android-app <name>', 'name of an Android app, such as com.example.app'),
  androidKey: {
    ...appsOption(
      '--android-key <hash>',
      'SHA-256 of the certificate that signs the Android apps, as hex digits or base64url',
    ),
    parse: (texts: readonly string[]) =>
      texts.map((text) =>
        HEX_HASH.test(text) ? Buffer.from(text.replaceAll(':', ''), 'hex').toString('base64url') : text,
      ),
  },
  appleApp: appsOption('--apple-app <id>', 'ID of an Apple app, such as ABCDE12345.com.example.app'),
  none: switchOption('--none', 'remove all native apps'),
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The secrets of the keys at reCAPTCHA. No flag sets them, because all users of the machine can read command lines. */
export const RECAPTCHA_SECRET = secretOption('HEARTH_RECAPTCHA_SECRET');
export const RECAPTCHA_VERIFIER_SECRET = secretOption('HEARTH_RECAPTCHA_VERIFIER_SECRET');

function secretOption(environment: string): OptionSpec<string> {
  return {
    flag: '',
    environment,
    help: '',
    fallback: '',
    isRepeatable: false,
    parse: single((text): string => text),
  };
}
