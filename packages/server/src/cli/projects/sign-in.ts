import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { programName } from '../../platform/process.ts';
import type { ServerFlags } from '../options.ts';
import { createProjectClient, type ProjectAnswer, type SendProjectRequest } from './client.ts';
import {
  PROJECT_CREATE_OPTIONS,
  PROJECT_SIGN_IN_OPTIONS,
  SIGN_IN_METHODS,
  type SignInMethodName,
} from './options.ts';

/** The settings of passkeys in the configuration. */
const PASSKEYS = ['signIn', 'hearth', 'passkeys'] as const;

/** A project's configuration in the form of the Auth API. */
type Config = ProjectAnswer;

/** Returns the value below a path of member names; `undefined` if there is none. */
function valueAt(config: unknown, ...path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? new Map(Object.entries(at)).get(name) : undefined),
    config,
  );
}

function isOn(config: Config, method: SignInMethodName): boolean {
  switch (method) {
    case 'password':
      return valueAt(config, 'signIn', 'email', 'enabled') === true;
    case 'email-link':
      return isOn(config, 'password') && valueAt(config, 'signIn', 'email', 'passwordRequired') === false;
    case 'anonymous':
      return valueAt(config, 'signIn', 'anonymous', 'enabled') === true;
    case 'passkey':
      return valueAt(config, ...PASSKEYS, 'enabled') === true;
    case 'totp':
      return (
        valueAt(config, 'mfa', 'state') !== 'DISABLED' &&
        valueAt(config, 'mfa', 'providerConfigs', '0', 'state') === 'ENABLED'
      );
    default:
      return method satisfies never;
  }
}

/** Returns the members of the configuration that switch a method, by their paths. */
function membersOf(method: SignInMethodName, isEnabled: boolean): Readonly<Record<string, unknown>> {
  switch (method) {
    case 'password':
      return { 'signIn.email.enabled': isEnabled };
    case 'email-link':
      return {
        'signIn.email.passwordRequired': !isEnabled,
        // A link needs sign-in by email.
        ...(isEnabled ? { 'signIn.email.enabled': true } : {}),
      };
    case 'anonymous':
      return { 'signIn.anonymous.enabled': isEnabled };
    case 'passkey':
      return { [`${PASSKEYS.join('.')}.enabled`]: isEnabled };
    case 'totp':
      return {
        'mfa.state': isEnabled ? 'ENABLED' : 'DISABLED',
        'mfa.providerConfigs': [
          { state: isEnabled ? 'ENABLED' : 'DISABLED', totpProviderConfig: { adjacentIntervals: 1 } },
        ],
      };
    default:
      return method satisfies never;
  }
}

interface SignInChange {
  readonly enable: readonly SignInMethodName[];
  readonly disable: readonly SignInMethodName[];
  /** Hosts to add to those to which links in emails may lead. */
  readonly domains: readonly string[];
  /** The domain for which passkeys are valid; `null` to keep it. */
  readonly passkeyDomain: string | null;
}

async function changeSignIn(
  sendRequest: SendProjectRequest,
  path: string,
  { enable, disable, domains, passkeyDomain }: SignInChange,
): Promise<Config> {
  const config = await sendRequest('GET', path);
  const members: Readonly<Record<string, unknown>> = Object.assign(
    {},
    ...disable.map((method) => membersOf(method, false)),
    ...enable.map((method) => membersOf(method, true)),
    passkeyDomain === null ? {} : { [`${PASSKEYS.join('.')}.rpId`]: passkeyDomain },
    domains.length === 0 ? {} : { authorizedDomains: [...new Set([...domainsOf(config), ...domains])] },
  );
  const names = Object.keys(members);
  if (names.length === 0) return config;
  const body = names.reduce<unknown>((json, name) => withValueAt(json, name.split('.'), members[name]), {});
  return sendRequest('PATCH', `${path}?updateMask=${names.join(',')}`, body);
}

function domainsOf(config: Config): readonly string[] {
  const domains = valueAt(config, 'authorizedDomains');
  return Array.isArray(domains) ? domains.map(String) : [];
}

function withValueAt(json: unknown, [name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  const object = Object(json);
  return { ...object, [name]: withValueAt(object[name], rest, value) };
}

/** Returns a line for the methods that are on, and the command for each that is off. */
function formatSignIn(config: Config, project: string, flags: ServerFlags): string {
  const on = SIGN_IN_METHODS.filter((method) => isOn(config, method));
  const off = SIGN_IN_METHODS.filter((method) => !isOn(config, method));
  const domains = domainsOf(config);
  const passkeyDomain = valueAt(config, ...PASSKEYS, 'rpId');
  const command = `${programName()} project sign-in ${project} --enable`;
  const more = (['data', 'url'] as const).map((name) =>
    typeof flags[name] === 'string' ? ` --${name} ${quote(flags[name])}` : '',
  );
  return [
    `Sign-in   ${on.length === 0 ? 'no method is on' : on.join(', ')}`,
    ...(domains.length === 0 ? [] : [`Domains   ${domains.join(', ')}`]),
    ...(passkeyDomain === undefined ? [] : [`Passkeys  for ${String(passkeyDomain)}`]),
    ...off.map((method) => `  off     ${method.padEnd(10)}  ${command} ${method}${more.join('')}`),
    '',
  ].join('\n');
}

/** Quotes a word for a shell where that is needed. */
function quote(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function configPath(project: string): string {
  return `/v2/projects/${encodeURIComponent(project)}/config`;
}

/**
 * Runs `hearth project create`: creates a project and prints the values that its apps need, its sign-in methods, and
 * the command to switch on each of the others. Rejects with a message for the user if a request fails.
 */
export async function runProjectCreate(
  flags: FlagsOf<typeof PROJECT_CREATE_OPTIONS>,
  id: string,
): Promise<void> {
  const change = {
    enable: readOption(PROJECT_CREATE_OPTIONS.enable, flags.enable),
    disable: [],
    domains: readOption(PROJECT_CREATE_OPTIONS.authorizeDomain, flags.authorizeDomain),
    passkeyDomain: null,
  };
  const sendRequest = createProjectClient(flags);
  const { apiKey } = await sendRequest('POST', '/api/projects', { id });
  process.stdout.write(`Project   ${id}\nAPI key   ${String(apiKey)}\nDatabase  ${id}-default-rtdb\n`);
  const config = await changeSignIn(sendRequest, configPath(id), change);
  process.stdout.write(formatSignIn(config, id, flags));
}

/**
 * Runs `hearth project sign-in`: switches sign-in methods of a project on and off, and prints which are on. Rejects
 * with a message for the user if a request fails.
 */
export async function runProjectSignIn(
  flags: FlagsOf<typeof PROJECT_SIGN_IN_OPTIONS>,
  project: string,
): Promise<void> {
  const enable = readOption(PROJECT_SIGN_IN_OPTIONS.enable, flags.enable);
  const disable = readOption(PROJECT_SIGN_IN_OPTIONS.disable, flags.disable);
  const both = enable.find((method) => disable.includes(method));
  if (both !== undefined) throw new StartFailure(`--enable and --disable both name ${both}.`);
  const domains = readOption(PROJECT_SIGN_IN_OPTIONS.authorizeDomain, flags.authorizeDomain);
  const passkeyDomain = readOption(PROJECT_SIGN_IN_OPTIONS.passkeyDomain, flags.passkeyDomain);
  const sendRequest = createProjectClient(flags);
  const change = { enable, disable, domains, passkeyDomain };
  const config = await changeSignIn(sendRequest, configPath(project), change);
  process.stdout.write(formatSignIn(config, project, flags));
}
