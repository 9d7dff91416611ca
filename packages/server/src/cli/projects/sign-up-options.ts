import { StartFailure } from '../../platform/failures.ts';
import type { OptionSpec } from '../../platform/option.ts';
import { nameOption, noTexts, PROJECT_OPTIONS } from './options.ts';

function listOption(flag: string, help: string): OptionSpec<readonly string[]> {
  return {
    flag,
    environment: null,
    help: `${help}, or none; may be repeated; replaces the others`,
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  };
}

type Claims = Readonly<Record<string, unknown>>;

/** Options of `hearth project sign-up`. */
export const PROJECT_SIGN_UP_OPTIONS = {
  ...PROJECT_OPTIONS,
  allowDomain: listOption('--allow-domain <domain>', 'domain of the only addresses that may get an account'),
  denyDomain: listOption('--deny-domain <domain>', 'domain of addresses that get no account'),
  provider: listOption(
    '--provider <id>',
    'provider with which alone users create an account, such as password or google.com',
  ),
  claims: {
    ...listOption('--claims <domain=json>', 'claims of users with a verified address at a domain'),
    parse: (texts: readonly string[], name: string): readonly Claims[] =>
      texts.filter((text) => text !== 'none').map((text) => parseClaims(text, name)),
    fallback: noClaims(),
  } satisfies OptionSpec<readonly Claims[]>,
  try: nameOption('--try <email>', 'say whether a new account with this address is allowed, and why'),
  with: nameOption('--with <id>', 'provider for --try; without it, password'),
} as const satisfies Record<string, OptionSpec<unknown>>;

function parseClaims(text: string, name: string): Claims {
  const [, domain, json] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  try {
    if (domain !== undefined && json !== undefined) return { [domain]: JSON.parse(json) };
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
  }
  throw new StartFailure(`${name} must be a domain and JSON, such as example.com={"staff":true}.`);
}

/** Gives the default of an option a wider type than its literal has. */
function noClaims(): readonly Claims[] {
  return [];
}
