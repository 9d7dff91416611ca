import { ROTATION_STEPS, type RotationStep } from '../../auth/saml/rotation-steps.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type OptionSpec, single, switchOption } from '../../platform/option.ts';
import { nameOption, noTexts, PROJECT_OPTIONS } from './options.ts';

/** Options of `hearth project providers`. */
export const PROJECT_PROVIDERS_OPTIONS = {
  ...PROJECT_OPTIONS,
  provider: nameOption(
    '--provider <id>',
    'provider to switch on or change, such as google.com or oidc.work; HEARTH_PROVIDER_SECRET sets its client secret',
  ),
  clientId: nameOption('--client-id <id>', "id of the app's client at the provider"),
  issuer: nameOption('--issuer <url>', 'issuer of an OpenID provider, exactly as its tokens contain it'),
  otherClient: {
    flag: '--other-client <id>',
    environment: null,
    help: 'id of a further client of the app, such as a native app; may be repeated; replaces the others',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  } satisfies OptionSpec<readonly string[]>,
  trustEmail: {
    flag: '--trust-email <which>',
    environment: null,
    help: 'addresses that the provider proves: default, never, verified, or a domain, which may be repeated',
    fallback: noTexts(),
    isRepeatable: true,
    parse: (texts) => texts,
  } satisfies OptionSpec<readonly string[]>,
  samlKey: {
    flag: '--saml-key <step>',
    environment: null,
    help: 'replace the key that signs requests to SAML providers: prepare, then finish when the providers have its certificate; or cancel',
    fallback: noStep(),
    isRepeatable: false,
    parse: single((text, name): RotationStep | null => {
      const step = ROTATION_STEPS.find((known) => known === text.toUpperCase());
      if (step === undefined)
        throw new StartFailure(`${name} must be prepare, finish or cancel, not "${text}".`);
      return step;
    }),
  },
  off: switchOption('--off', 'switch the provider off, and keep its settings'),
  remove: switchOption('--remove', 'remove the settings of the provider'),
} as const satisfies Record<string, OptionSpec<unknown>>;

/** The client secret of a provider. No flag sets it, because all users of the machine can read command lines. */
export const PROVIDER_SECRET: OptionSpec<string> = {
  flag: '',
  environment: 'HEARTH_PROVIDER_SECRET',
  help: '',
  fallback: '',
  isRepeatable: false,
  parse: single((text): string => text),
};

/** Gives the default of an option a wider type than its literal has. */
function noStep(): RotationStep | null {
  return null;
}
