import { INSTALLATION } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';
import { assertionOfAccessToken } from './access-token.ts';
import { withAppleName } from './apple-user.ts';
import type { ProviderAssertion } from './assertion.ts';
import { assertionFromProfile } from './claims-assertion.ts';
import { isEmailProven } from './email-authority.ts';
import { type IdpRequest, providerNotEnabled, type VerifiedAssertion } from './idp-request.ts';
import { type ExpectedIdToken, verifyProviderIdToken } from './oidc-token.ts';
import { findPreset, OPENID_CLAIMS } from './presets.ts';
import type { OidcConfig, PresetConfig, ProviderConfig } from './provider-config.ts';
import { findProviderConfig } from './provider-config-store.ts';
import { ProviderFailure } from './provider-requests.ts';
import { openClientSecret } from './provider-secret.ts';

/**
 * Returns the assertion of a token that the app obtained itself, after verifying that the provider issued it to the
 * project's app. Throws `OPERATION_NOT_ALLOWED` if the project has not enabled the provider.
 */
export async function readVerifiedCredential(
  call: AuthRequest,
  services: AuthServices,
  { parameters }: IdpRequest,
): Promise<VerifiedAssertion> {
  const providerId = parameters.get('providerId') ?? '';
  if (providerId === '')
    throw new AuthApiError('INVALID_CREDENTIAL_OR_PROVIDER_ID', 'Invalid IdP response/credential.');
  const config = requireProvider(call, services, providerId);
  // The tokens of SAML providers come from the pages of the server only.
  if (config.kind === 'saml') throw providerNotEnabled();
  services.throttle.requireRequestAllowed(call);
  const assertion = await askProvider(call, services, providerId, () =>
    verifyCredential(call, services, config, parameters),
  );
  return { assertion, isEmailProven: isEmailProven(config, assertion), spend: () => undefined };
}

/** Returns the configuration of a provider. Throws `OPERATION_NOT_ALLOWED` if the project has not enabled it. */
export function requireProvider(
  { project }: AuthRequest,
  { recordStore }: AuthServices,
  providerId: string,
): ProviderConfig {
  const config = recordStore.read((view) =>
    findProviderConfig(view.records(INSTALLATION), project.scope, providerId),
  );
  if (config?.isEnabled !== true) throw providerNotEnabled();
  return config;
}

/**
 * Runs requests to a provider. If a request fails, records the reason for administrators and throws
 * `INVALID_IDP_RESPONSE` without the reason, which could reveal other hosts that the server can reach.
 */
export async function askProvider<T>(
  call: AuthRequest,
  services: AuthServices,
  providerId: string,
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (!(cause instanceof ProviderFailure)) throw cause;
    if (cause.isFresh)
      recordAudit(services, call, 'provider_unavailable', null, {
        detail: `${providerId}: ${cause.message}`.slice(0, MAX_DETAIL_LENGTH),
      });
    throw new AuthApiError('INVALID_IDP_RESPONSE', 'The provider does not answer.', { cause });
  }
}

const MAX_DETAIL_LENGTH = 300;

/** Verifies the ID token of a request; without one, the access token. */
async function verifyCredential(
  { project, client }: AuthRequest,
  { providers, secretBox, clock }: AuthServices,
  config: PresetConfig | OidcConfig,
  parameters: URLSearchParams,
): Promise<ProviderAssertion> {
  const { providerId, clientId } = config;
  const idToken = parameters.get('id_token') || undefined;
  const accessToken = parameters.get('access_token') || undefined;
  const expectation = expectationOf(config, parameters.get('nonce') || undefined);
  if (idToken !== undefined && expectation !== undefined) {
    // The SDK sends a token again that the app got at the end of a popup, and does not know the nonce of the server.
    const expected = { ...expectation, isOwnNonce: (nonce: string) => providers.flows.isOwnNonce(nonce) };
    const documents = providers.documents.for(project.id);
    const verified = await verifyProviderIdToken(documents, idToken, expected, clock.nowMs());
    const claims = withAppleName(providerId, verified, parameters.get('user') ?? undefined);
    const mapping = findPreset(providerId)?.profile ?? OPENID_CLAIMS;
    // Nothing proves for which app the access token is, but only the client that sent it gets it back.
    const tokens = { idToken, ...(accessToken === undefined ? {} : { accessToken }) };
    return assertionFromProfile({ providerId, mapping }, claims, tokens);
  }
  const preset = findPreset(providerId);
  if (accessToken === undefined || preset === undefined)
    throw new AuthApiError('INVALID_IDP_RESPONSE', 'The request has no ID token of the provider.');
  const send = providers.requests.sendFor({ network: client.network, projectId: project.id });
  return assertionOfAccessToken(send, {
    preset,
    accessToken,
    clientIds: clientIdsOf(config),
    clientId,
    clientSecret: openClientSecret(secretBox, project.scope, config),
  });
}

export function clientIdsOf({ clientId, otherClientIds }: PresetConfig | OidcConfig): readonly string[] {
  return [clientId, ...otherClientIds];
}

/** Returns the required claims of a provider's ID tokens; `undefined` if the provider issues none. */
export function expectationOf(
  config: PresetConfig | OidcConfig,
  rawNonce: string | undefined,
  organization: string | null = null,
): ExpectedIdToken | undefined {
  const issuer = issuerOf(config, organization);
  if (issuer === undefined) return undefined;
  const hasSharedOwners = findPreset(config.providerId)?.quirks.includes('google-clients') === true;
  return { clientIds: clientIdsOf(config), rawNonce, issuer, hasSharedOwners };
}

/** The organizations at Microsoft that an app can name: one by its ID or by a domain, or all of a kind. */
const ORGANIZATION = /^[a-z0-9](?:[a-z0-9.-]{0,251}[a-z0-9])?$/;

/**
 * Returns the issuer of a provider's ID tokens; `undefined` if it issues none. Throws a `ProviderFailure` if the text names no
 * organization: a sign-in that an app limits must not admit everybody.
 */
export function issuerOf(config: PresetConfig | OidcConfig, organization: string | null): string | undefined {
  if (config.kind === 'oidc') return config.issuer;
  const protocol = findPreset(config.providerId)?.protocol;
  if (protocol?.kind !== 'oidc') return undefined;
  if (organization === null) return protocol.issuer;
  if (!ORGANIZATION.test(organization) || organization.includes('..'))
    throw new ProviderFailure('The parameter "tenant" of the app names no organization of Microsoft.');
  return protocol.issuer.replace('/common/', `/${organization}/`);
}
