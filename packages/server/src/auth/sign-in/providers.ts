import { RequestError } from '@hearth/core/error/request-error.ts';
import type { Account } from '../accounts/account.ts';
import { accountRecords, findAccountByEmail } from '../accounts/account-store.ts';
import { parseEmail, randomId } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { startClientFlow } from '../flows/client-flow.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { consoleKeyOf } from '../projects/projects.ts';
import { providerNotEnabled } from '../providers/idp-request.ts';
import { isProviderId } from '../providers/provider-ids.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';

const KIND = 'identitytoolkit#CreateAuthUriResponse';
const SESSION_ID_LENGTH = 27;

/**
 * `accounts:createAuthUri`: begins a sign-in with another provider, or returns the sign-in methods for an address.
 */
export async function createAuthUri(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields, project } = call;
  const providerId = fields.filled('providerId');
  const identifier = fields.filled('identifier');
  if (providerId === undefined && identifier === undefined) throw new AuthApiError('MISSING_IDENTIFIER');
  const sessionId = fields.filled('sessionId') ?? randomId(SESSION_ID_LENGTH, services.randomBytes);
  if (providerId !== undefined) {
    if (!isProviderId(providerId)) throw new AuthApiError('INVALID_PROVIDER_ID');
    return { kind: KIND, ...(await startClientFlow(call, services, { providerId, sessionId })) };
  }
  requireWebAddress(fields.filled('continueUri'));
  const email = parseEmail(identifier ?? '', 'INVALID_IDENTIFIER');
  if (project.settings.isEmailPrivate) return { kind: KIND, sessionId };
  const account = services.recordStore.read((view) =>
    findAccountByEmail(view.records(accountRecords(project.scope)), email),
  );
  return { kind: KIND, sessionId, ...signInMethods(account, project.settings) };
}

/** Throws unless the text is a web address. The server never redirects to it, but clients rely on the errors. */
function requireWebAddress(text: string | undefined): void {
  if (text === undefined) throw new AuthApiError('MISSING_CONTINUE_URI');
  if (!/^https?:$/.test(URL.parse(text)?.protocol ?? '')) throw new AuthApiError('INVALID_CONTINUE_URI');
}

function signInMethods(account: Account | undefined, { signIn }: ProjectSettings): JsonObject {
  if (account === undefined) return { registered: false };
  const { password, hasEmailLink, identities } = account;
  // If several accounts may share an address, providers do not identify one of them.
  const providers = signIn.areDuplicateEmailsAllowed
    ? []
    : [...new Set(identities.map(({ providerId }) => providerId))];
  const allProviders = [...(password !== null || hasEmailLink ? ['password'] : []), ...providers];
  const signinMethods = [
    ...(password === null ? [] : ['password']),
    ...(hasEmailLink ? ['emailLink'] : []),
    ...providers,
  ];
  return { registered: true, ...(allProviders.length === 0 ? {} : { allProviders, signinMethods }) };
}

/**
 * Rejects sign-in by passkey, game or another provider, with the error of a project that has not enabled
 * it.
 */
export async function rejectUnoffered(): Promise<JsonObject> {
  throw providerNotEnabled();
}

/** `accounts:verifyIosClient`: rejects the request, so that clients fall back to a challenge in the browser. */
export async function rejectIosClient(): Promise<JsonObject> {
  throw new AuthApiError('APP_NOT_VERIFIED');
}

export async function rejectSamlResponse(): Promise<JsonObject> {
  throw new AuthApiError('NOT_IMPLEMENTED');
}

/** `signOutUser` of the old API. It does nothing, as in Firebase. */
export async function signOut(): Promise<JsonObject> {
  return {};
}

/**
 * The configuration that the console needs to sign a member in to a project. It does not contain an API key of an app,
 * because every client that knows the project id can read it.
 */
export interface SignInConfiguration {
  /** A console key. */
  readonly apiKey: string;
  readonly projectId: string;
}

/** Returns the sign-in configuration of a project to any client. `address` is the IP address of the client. */
export type SignInStart = (projectId: string, address: string) => SignInConfiguration;

/**
 * Returns the sign-in configuration of a project. Throws `project/unknown`, and `AuthOverload` if the address sends
 * too many requests.
 */
export function startSignIn(
  { projects, throttle }: Pick<AuthServices, 'projects' | 'throttle'>,
  projectId: string,
  address: string,
): SignInConfiguration {
  throttle.requireRequestAllowed({ client: { address } });
  if (!projects.isStored(projectId)) throw new RequestError('project/unknown');
  return { apiKey: consoleKeyOf(projectId), projectId };
}
