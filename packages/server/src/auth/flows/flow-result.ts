import { AuthApiError } from '../errors.ts';
import { isEmailProven } from '../providers/email-authority.ts';
import type { IdpRequest, VerifiedAssertion } from '../providers/idp-request.ts';
import { requireProvider } from '../providers/verified-credential.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { nameOfScope } from '../tenants/scope.ts';
import { type FlowResult, hasHash } from './flow-store.ts';
import { hashOf } from './one-time-entries.ts';

/** The parameter of the address with which the app gets the result of a flow. */
export const REF_PARAMETER = 'ref';

/**
 * Returns the statement of the provider at the end of a popup or a redirect; `undefined` for requests without a
 * reference to it. The reference is used up, even if the request is rejected.
 */
export async function readFlowResult(
  call: AuthRequest,
  services: AuthServices,
  { requestUri, sessionId }: IdpRequest,
): Promise<VerifiedAssertion | undefined> {
  const ref = requestUri.searchParams.get(REF_PARAMETER);
  if (ref === null) return undefined;
  const result = services.providers.flows.takeResult(ref);
  if (result === undefined || !belongsTo(result, call, sessionId ?? '')) throw unknownResult();
  requireSamePurpose(result, call);
  const { assertion, authType } = result;
  const config = requireProvider(call, services, assertion.providerId);
  return {
    assertion,
    isEmailProven: isEmailProven(config, assertion),
    spend: () => undefined,
    ...(authType.startsWith('reauth') ? { mayCreate: false } : {}),
  };
}

/** Returns whether the request comes from the app that started the flow. Mobile SDKs start it with a hash of their text. */
function belongsTo(
  { scope, apiKey, sessionHash }: FlowResult,
  { project, caller }: AuthRequest,
  sessionId: string,
): boolean {
  const hasSameKey = caller.kind === 'app' && caller.apiKey === apiKey;
  const hasSession = hasHash(sessionId, sessionHash) || hasHash(hashOf(sessionId), sessionHash);
  return hasSameKey && hasSession && nameOfScope(project.scope) === nameOfScope(scope);
}

/** Throws if the result of a sign-in is used to add an identity to an account, or the other way round. */
function requireSamePurpose({ authType }: FlowResult, { fields }: AuthRequest): void {
  const isLink = authType.startsWith('link');
  if (isLink !== (fields.filled('idToken') !== undefined))
    throw new AuthApiError(
      'INVALID_IDP_RESPONSE',
      isLink
        ? 'This result adds an identity to an account: send the ID token of the account.'
        : 'This result is a sign-in: send no ID token.',
    );
}

function unknownResult(): AuthApiError {
  return new AuthApiError(
    'INVALID_IDP_RESPONSE',
    'The sign-in is unknown: it was used already, it is too old, or it belongs to another app. Start again.',
  );
}
