import { RECAPTCHA_MEMBER } from '../captcha/config-recaptcha.ts';
import { MAX_COST, MIN_COST } from '../captcha/difficulty.ts';
import { AuthApiError } from '../errors.ts';
import { CAPTCHA_STATES, type CaptchaState, type ProjectCaptcha } from './captcha-settings.ts';
import { type ConfigMember, findAt, invalidConfig } from './config-fields.ts';
import type { ProjectSettings } from './project.ts';

const PATH = 'recaptchaConfig';

/** Members of `recaptchaConfig` that are stored and returned but have no effect: proofs of work have no score. */
export const STORED_CAPTCHA_MEMBERS: readonly string[] = [
  `${PATH}.managedRules`,
  `${PATH}.tollFraudManagedRules`,
  `${PATH}.useAccountDefender`,
  `${PATH}.useSmsBotScore`,
  `${PATH}.useSmsTollFraudProtection`,
];

/** A member of `recaptchaConfig` that names keys of another service. Clients send it back, and its value is ignored. */
export const CAPTCHA_KEYS = `${PATH}.recaptchaKeys`;

/** Throws `INVALID_RECAPTCHA_ACTION` for a rule whose action the official service does not know. */
export function requireKnownRules(config: unknown): void {
  for (const name of ['managedRules', 'tollFraudManagedRules']) {
    const rules = findAt(config, [PATH, name]);
    if (rules === undefined) continue;
    if (!Array.isArray(rules)) throw invalidConfig(`${PATH}.${name}`, 'a list of rules');
    if (rules.some((rule) => findAt(rule, ['action']) !== 'BLOCK'))
      throw new AuthApiError('INVALID_RECAPTCHA_ACTION', 'The action of a rule must be BLOCK.');
  }
}

/**
 * The members of the configuration for challenges. `hearth` holds members that the official configuration does not have.
 */
export const CAPTCHA_MEMBERS: readonly ConfigMember[] = [
  stateMember('emailPasswordEnforcementState', 'emailPassword'),
  stateMember('phoneEnforcementState', 'phone'),
  {
    path: `${PATH}.hearth.cost`,
    encode: ({ captcha }) => captcha.cost,
    apply: (settings, value, path) => withCaptcha(settings, { cost: requireCost(value, path) }),
  },
  RECAPTCHA_MEMBER,
];

function stateMember(name: string, setting: 'emailPassword' | 'phone'): ConfigMember {
  return {
    path: `${PATH}.${name}`,
    encode: ({ captcha }) => captcha[setting],
    apply: (settings, value) => withCaptcha(settings, { [setting]: requireState(value) }),
  };
}

/** Returns the state that a request names. An unspecified state is `OFF`, as in the official service. */
function requireState(value: unknown): CaptchaState {
  if (value === undefined || value === 'RECAPTCHA_PROVIDER_ENFORCEMENT_STATE_UNSPECIFIED') return 'OFF';
  const state = CAPTCHA_STATES.find((known) => known === value);
  if (state === undefined)
    throw new AuthApiError('INVALID_RECAPTCHA_ENFORCEMENT_STATE', `Use one of ${CAPTCHA_STATES.join(', ')}.`);
  return state;
}

function requireCost(value: unknown, path: string): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < MIN_COST || value > MAX_COST)
    throw invalidConfig(path, `a whole number from ${MIN_COST} to ${MAX_COST}`);
  return value;
}

function withCaptcha(settings: ProjectSettings, change: Partial<ProjectCaptcha>): ProjectSettings {
  return { ...settings, captcha: { ...settings.captcha, ...change } };
}
