import {
  decideSignUp,
  NO_SIGN_UP_RULES,
  type SignUp,
  type SignUpRules,
} from '@hearth/core/api/sign-up-rules.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient } from './client.ts';
import { PROJECT_SIGN_UP_OPTIONS } from './sign-up-options.ts';

type Flags = FlagsOf<typeof PROJECT_SIGN_UP_OPTIONS>;

/**
 * Runs `hearth project sign-up`: sets the rules for new accounts of a project, prints them, and says what they decide about
 * an address. Rejects with a message for the user if a request fails.
 */
export async function runProjectSignUp(flags: Flags, project: string): Promise<void> {
  const options = PROJECT_SIGN_UP_OPTIONS;
  const change = readChange(flags);
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const before = await sendRequest('GET', path);
  const config =
    Object.keys(change).length === 0
      ? before
      : await sendRequest('PATCH', `${path}?updateMask=hearth.signUp`, {
          hearth: { signUp: { ...rulesOf(before), ...change } },
        });
  const rules = { ...NO_SIGN_UP_RULES, ...rulesOf(config) };
  process.stdout.write(formatRules(rules));
  const email = readOption(options.try, flags.try);
  if (email === null) return;
  const provider = readOption(options.with, flags.with) ?? 'password';
  process.stdout.write(explain(rules, { email, provider }));
}

function rulesOf(config: unknown): Partial<SignUpRules> {
  return Object(Object(Object(config).hearth).signUp);
}

/** Returns the rules that the options set. `none` clears a list. */
function readChange(flags: Flags): Partial<SignUpRules> {
  const options = PROJECT_SIGN_UP_OPTIONS;
  const lists = {
    allowedDomains: readOption(options.allowDomain, flags.allowDomain),
    deniedDomains: readOption(options.denyDomain, flags.denyDomain),
    providers: readOption(options.provider, flags.provider),
  };
  const given = Object.entries(lists)
    .filter(([, texts]) => texts.length > 0)
    .map(([name, texts]) => [name, texts.filter((text) => text !== 'none')] as const);
  const claims = readOption(options.claims, flags.claims);
  return {
    ...Object.fromEntries(given),
    ...(flags.claims === undefined ? {} : { claims: Object.assign({}, ...claims) }),
  };
}

function formatRules({ allowedDomains, deniedDomains, providers, claims }: SignUpRules): string {
  const listOf = (texts: readonly string[], none: string): string =>
    texts.length === 0 ? none : texts.join(', ');
  return [
    `Allowed domains  ${listOf(allowedDomains, 'all')}`,
    `Denied domains   ${listOf(deniedDomains, 'none')}`,
    `Providers        ${listOf(providers, 'all')}`,
    ...Object.entries(claims).map(([domain, json]) => `Claims           ${domain}: ${JSON.stringify(json)}`),
    '',
  ].join('\n');
}

function explain(rules: SignUpRules, signUp: SignUp): string {
  const decision = decideSignUp(rules, signUp);
  const about = `\nA new account for ${signUp.email} with ${signUp.provider} is`;
  if (decision.kind === 'allowed') return `${about} allowed.\n`;
  const reasons = {
    providers: `the providers do not include ${decision.value}`,
    deniedDomains: `${decision.value} is a denied domain`,
    allowedDomains: `${decision.value} is not an allowed domain`,
  } as const;
  return `${about} rejected: ${reasons[decision.rule]}.\n`;
}
