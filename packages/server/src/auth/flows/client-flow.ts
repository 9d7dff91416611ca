import { AuthApiError, AuthOverload } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { isEmailProven } from '../providers/email-authority.ts';
import { type IdpRequest, providerNotEnabled, type VerifiedAssertion } from '../providers/idp-request.ts';
import { requireProvider } from '../providers/verified-credential.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { nameOfScope } from '../tenants/scope.ts';
import { failureOf } from './flow-failure.ts';
import {
  CanceledAtProvider,
  clientIdOf,
  findFlowProvider,
  newFlow,
  readProviderAnswer,
  signInAddress,
} from './flow-provider.ts';
import { type ClientFlow, hasHash } from './flow-store.ts';
import { hashOf } from './one-time-entries.ts';
import { findAppUrl, limitOptions, type ProviderOptions } from './start-request.ts';
import { stateOf } from './web-flow.ts';

/** Longest `sessionId` and `context` of a client, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 1_024;
/** Time after which a client may try again when too many flows have begun, in s. */
const BUSY_SEC = 60;

/**
 * Begins a sign-in at a provider for a client of the API, and returns the address to which the client sends the user.
 * The provider returns to `continueUri`, and the client passes that address to `accounts:signInWithIdp`. Throws
 * `OPERATION_NOT_ALLOWED`, `MISSING_CONTINUE_URI`, `INVALID_CONTINUE_URI`, `UNAUTHORIZED_DOMAIN`, or
 * `INVALID_IDP_RESPONSE` if the provider does not answer.
 */
export async function startClientFlow(
  call: AuthRequest,
  services: AuthServices,
  { providerId, sessionId }: { readonly providerId: string; readonly sessionId: string },
): Promise<JsonObject> {
  const { project, caller, client, fields } = call;
  const { flows } = services.providers;
  const config = findFlowProvider(requireProvider(call, services, providerId));
  if (config === undefined || caller.kind !== 'app') throw providerNotEnabled();
  const context = fields.filled('context') ?? null;
  for (const text of [sessionId, context ?? ''])
    if (text.length > MAX_TEXT_LENGTH)
      throw new AuthApiError(
        'INVALID_ARGUMENT',
        `"sessionId" and "context" have at most ${MAX_TEXT_LENGTH} characters.`,
      );
  const options = readOptions(call);
  const purpose = {
    scope: project.scope,
    options,
    redirectUri: requireContinueUri(call, services),
    network: client.network,
  };
  services.throttle.requireRequestAllowed(call);
  const flow: ClientFlow = {
    ...newFlow(flows, config, purpose),
    kind: 'client',
    apiKey: caller.apiKey,
    sessionHash: hashOf(sessionId),
    context,
  };
  const state = flows.begin(flow);
  if (state === undefined) throw new AuthOverload(BUSY_SEC);
  try {
    return {
      authUri: await signInAddress(services, config, options, { ...flow, state }),
      providerId,
      sessionId,
    };
  } catch (cause) {
    flows.cancel(state);
    throw failedFlow(call, services, providerId, cause);
  }
}

/**
 * Returns the address to which the provider redirects the user. It belongs to the app, and not to the pages of this
 * server.
 */
function requireContinueUri({ project, fields }: AuthRequest, services: AuthServices): string {
  const text = fields.require('continueUri', 'MISSING_CONTINUE_URI');
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hash !== '')
    throw new AuthApiError('INVALID_CONTINUE_URI');
  if (findAppUrl(text, project, services) === undefined)
    throw new AuthApiError(
      'UNAUTHORIZED_DOMAIN',
      'Add the domain of "continueUri" to the authorized domains.',
    );
  // Providers compare the address as text.
  return text;
}

function readOptions({ fields }: AuthRequest): ProviderOptions {
  const scopes = (fields.filled('oauthScope') ?? '').split(/[\s,]+/);
  const given = fields.find('customParameter');
  // REST clients send an object, and old ones a list of pairs.
  const pairs = Array.isArray(given)
    ? given.filter(isJsonObject).map(({ name, value }) => [name, value])
    : [];
  return limitOptions(scopes, isJsonObject(given) ? given : Object.fromEntries(pairs));
}

/**
 * Returns the statement of the provider in a response that a client of the API passes on; `undefined` for requests
 * without one. The flow is used up, even if the request is rejected.
 */
export async function readClientFlow(
  call: AuthRequest,
  services: AuthServices,
  request: IdpRequest,
): Promise<VerifiedAssertion | undefined> {
  const { parameters } = request;
  const state = stateOf(parameters);
  const flow = state === undefined ? undefined : services.providers.flows.takeOfClient(state);
  if (state === undefined || flow === undefined) {
    if (parameters.get('code') === null && parameters.get('SAMLResponse') === null) return undefined;
    throw unknownFlow();
  }
  requireSameClient(call, request, flow);
  const config = findFlowProvider(requireProvider(call, services, flow.providerId));
  if (config === undefined || clientIdOf(config) !== flow.clientId) throw providerNotEnabled();
  services.throttle.requireRequestAllowed(call);
  try {
    const assertion = await readProviderAnswer(services, config, parameters, { ...flow, state });
    const { context } = flow;
    return { assertion, isEmailProven: isEmailProven(config, assertion), spend: () => undefined, context };
  } catch (cause) {
    if (cause instanceof CanceledAtProvider) throw new AuthApiError('USER_CANCELLED', undefined, { cause });
    throw failedFlow(call, services, flow.providerId, cause);
  }
}

/** Throws if a request does not come from the client that began the flow, or is for another provider or address. */
function requireSameClient(
  { project, caller }: AuthRequest,
  { requestUri, parameters, sessionId = '' }: IdpRequest,
  flow: ClientFlow,
): void {
  const named = parameters.get('providerId') || flow.providerId;
  const returnedTo = new URL(flow.redirectUri);
  const isSame =
    caller.kind === 'app' &&
    caller.apiKey === flow.apiKey &&
    hasHash(sessionId, flow.sessionHash) &&
    nameOfScope(project.scope) === nameOfScope(flow.scope) &&
    named === flow.providerId &&
    requestUri.origin === returnedTo.origin &&
    requestUri.pathname === returnedTo.pathname;
  if (!isSame) throw unknownFlow();
}

function unknownFlow(): AuthApiError {
  return new AuthApiError(
    'INVALID_IDP_RESPONSE',
    'The sign-in is unknown: it was used already, it is too old, or another client or address began it. Start again.',
  );
}

/** Returns the error for a response that is not valid, or that did not come, after recording the reason. */
function failedFlow(call: AuthRequest, services: AuthServices, providerId: string, cause: unknown): Error {
  const failure = failureOf(cause);
  if (failure.kind === 'overload') return new AuthOverload(BUSY_SEC);
  recordAudit(services, call, 'provider_flow_failed', null, {
    result: 'rejected',
    detail: `${providerId}: ${failure.reason}`,
  });
  return new AuthApiError('INVALID_IDP_RESPONSE', 'The response of the provider is not valid.', { cause });
}
