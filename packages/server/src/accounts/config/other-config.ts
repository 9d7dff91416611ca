import { isJsonObject, type JsonObject } from '../fields.ts';
import { IdentityError } from '../identity-error.ts';
import { findAt } from './json-path.ts';

/** Members of the configuration that are kept and told, without an effect here. */
export const KEPT_MEMBERS: readonly string[] = [
  'autodeleteAnonymousUsers',
  'blockingFunctions',
  'defaultHostingSite',
  'mfa.enabledProviders',
  'mobileLinksConfig',
  'monitoring',
  'multiTenant',
  'notification.sendSms',
  'quota',
  'recaptchaConfig',
  'signIn.phoneNumber',
  'smsRegionConfig',
  'subtype',
];

/** Members that a client may send back as it got them; they do not change. */
export const READ_ONLY_MEMBERS: readonly string[] = [
  'name',
  'client.apiKey',
  'client.firebaseSubdomain',
  'notification.sendEmail.dnsInfo',
  'passwordPolicyConfig.lastUpdateTime',
  'signIn.hashConfig',
];

const BLOCKING_EVENTS: readonly string[] = [
  'beforeCreate',
  'beforeSignIn',
  'beforeSendEmail',
  'beforeSendSms',
];
const ENFORCEMENTS = ['emailPasswordEnforcementState', 'phoneEnforcementState'] as const;

/** Refuses what would be relied on, and what this server does not do. */
export function mustBeHarmless(config: JsonObject): void {
  const triggers = findAt(config, ['blockingFunctions', 'triggers']);
  if (isJsonObject(triggers))
    for (const [event, trigger] of Object.entries(triggers)) refuseTrigger(event, trigger);
  for (const name of ENFORCEMENTS)
    if (findAt(config, ['recaptchaConfig', name]) === 'ENFORCE')
      throw new IdentityError('RECAPTCHA_NOT_ENABLED', 'This server asks no client for reCAPTCHA.');
  if (config['autodeleteAnonymousUsers'] === true)
    throw new IdentityError('INVALID_CONFIG', 'This server does not delete anonymous accounts by itself.');
}

function refuseTrigger(event: string, trigger: unknown): never {
  if (!BLOCKING_EVENTS.includes(event))
    throw new IdentityError('INVALID_BLOCKING_FUNCTION', `There is no event "${event}".`);
  const uri = findAt(trigger, ['functionUri']);
  if (typeof uri !== 'string' || !/^https?:$/.test(URL.parse(uri)?.protocol ?? ''))
    throw new IdentityError('INVALID_BLOCKING_FUNCTION', 'functionUri must be an https address.');
  throw new IdentityError('INVALID_BLOCKING_FUNCTION', 'This server calls no blocking functions.');
}
