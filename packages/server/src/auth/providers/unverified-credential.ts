import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { type Claims, parseClaims, parseJwt } from '../tokens/jwt.ts';
import { assertionFromProfile } from './claims-assertion.ts';
import type { IdpRequest, VerifiedAssertion } from './idp-request.ts';
import { OPENID_CLAIMS } from './presets.ts';
import { isProviderId } from './provider-ids.ts';

/** The claims that the official emulator reads for every provider. */
const EMULATOR_CLAIMS = { ...OPENID_CLAIMS, screenName: 'screen_name' };

/**
 * In development mode, returns the assertion of a token that is not verified, as the official emulator does: claims in
 * JSON, or a JWT whose signature is ignored. `undefined` in other modes, and for requests without such a token.
 */
export async function readUnverifiedCredential(
  _call: AuthRequest,
  { isDevelopment }: AuthServices,
  { parameters }: IdpRequest,
): Promise<VerifiedAssertion | undefined> {
  if (!isDevelopment) return undefined;
  const providerId = parameters.get('providerId')?.toLowerCase() ?? '';
  if (!isProviderId(providerId))
    throw new AuthApiError('INVALID_CREDENTIAL_OR_PROVIDER_ID', 'Invalid IdP response/credential.');
  const idToken = parameters.get('id_token') || undefined;
  const accessToken = parameters.get('access_token') || undefined;
  const claims = findClaims(idToken) ?? findClaims(accessToken);
  if (claims === undefined)
    throw new AuthApiError(
      'INVALID_IDP_RESPONSE',
      'In development mode, the ID token or access token of a provider must be JSON claims or a JWT.',
    );
  const tokens = {
    accessToken: accessToken ?? `fake-access-token-${providerId}`,
    ...(idToken === undefined ? {} : { idToken }),
  };
  const assertion = assertionFromProfile({ providerId, mapping: EMULATOR_CLAIMS }, claims, tokens);
  // The emulator believes every provider.
  return { assertion, isEmailProven: assertion.isEmailVerified, spend: () => undefined };
}

function findClaims(token: string | undefined): Claims | undefined {
  if (token === undefined) return undefined;
  try {
    return token.startsWith('{') ? parseClaims(token) : parseJwt(token).claims;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
