import type { JsonObject } from '../fields.ts';
import { readClientFlow } from '../flows/client-flow.ts';
import { readFlowResult } from '../flows/flow-result.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { requireVerifiedToken } from '../sign-in/current-user.ts';
import {
  type AssertionSource,
  type IdpRequest,
  providerNotEnabled,
  readIdpRequest,
  type VerifiedAssertion,
} from './idp-request.ts';
import { readPendingAssertion } from './pending-assertion.ts';
import { completeProviderSignIn } from './provider-sign-in.ts';
import { readUnverifiedCredential } from './unverified-credential.ts';
import { readVerifiedCredential } from './verified-credential.ts';

/** The kinds of requests, in the order in which they are tried. */
const SOURCES: readonly AssertionSource[] = [
  readFlowResult,
  readPendingAssertion,
  readClientFlow,
  readUnverifiedCredential,
  readVerifiedCredential,
];

/** `accounts:signInWithIdp`: signs in with another provider, or adds its identity to the signed-in account. */
export async function signInWithIdp(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { fields } = call;
  const request = readIdpRequest(fields);
  const user =
    fields.filled('idToken') === undefined ? undefined : await requireVerifiedToken(call, services);
  const { mayCreate = true, context = null, ...verified } = await verify(call, services, request);
  const response = await completeProviderSignIn(call, services, {
    ...verified,
    user,
    mayCreate: mayCreate && (fields.flag('autoCreate') ?? true),
    returnsCredential: fields.flag('returnIdpCredential') ?? false,
  });
  const { tenantId } = call.project.scope;
  return {
    ...response,
    ...(context === null ? {} : { context }),
    ...(tenantId === null ? {} : { tenantId }),
  };
}

async function verify(
  call: AuthRequest,
  services: AuthServices,
  request: IdpRequest,
): Promise<VerifiedAssertion> {
  for (const source of SOURCES) {
    const verified = await source(call, services, request);
    if (verified !== undefined) return verified;
  }
  throw providerNotEnabled();
}
