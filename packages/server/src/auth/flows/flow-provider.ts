import * as oidc from 'openid-client';
import type { ProviderAssertion } from '../providers/assertion.ts';
import type { ProviderConfig, SamlConfig } from '../providers/provider-config.ts';
import { readSamlResponse, samlAddress } from '../saml/saml-flow.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { BasicFlow, Flow, FlowStore } from './flow-store.ts';
import {
  authorizationUrl,
  findOAuthProvider,
  type OAuthProvider,
  type ProviderClientServices,
  readOAuthResponse,
  returnsWithForm,
} from './provider-client.ts';
import type { ProviderOptions } from './start-request.ts';

/** A provider with which the server signs users in. */
export type FlowProvider = OAuthProvider | SamlConfig;

/** How a provider sends the browser back: with parameters in the address, or with a form. */
export type ReturnWay = 'address' | 'form';

/** A flow that has begun, and the text that identifies it. */
export type BegunFlow = Flow & { readonly state: string };

/** Thrown if the user did not agree at the provider. */
export class CanceledAtProvider extends Error {}

/** Returns the configuration if it is enabled and the server can use it. */
export function findFlowProvider(config: ProviderConfig | undefined): FlowProvider | undefined {
  if (config === undefined || !config.isEnabled) return undefined;
  return config.kind === 'saml' ? config : findOAuthProvider(config);
}

export function returnWayOf(config: FlowProvider): ReturnWay {
  return config.kind === 'saml' || returnsWithForm(config) ? 'form' : 'address';
}

/** Returns the organization at Microsoft to which an app limits the sign-in; `null` for none. */
function organizationOf(config: FlowProvider, { parameters }: ProviderOptions): string | null {
  const tenant = config.providerId === 'microsoft.com' ? parameters['tenant']?.toLowerCase() : undefined;
  return tenant === undefined || tenant === 'common' ? null : tenant;
}

/** Returns the client ID or entity ID that identifies the app to the provider. */
export function clientIdOf(config: FlowProvider): string {
  return config.kind === 'saml' ? config.spEntityId : config.clientId;
}

/**
 * Returns the address to which the provider redirects the user: that of the handler, unless the configuration names
 * another.
 */
export function returnAddressOf(config: FlowProvider, handler: string): string {
  return config.kind === 'saml' ? (config.callbackUri ?? handler) : handler;
}

/** The purpose of a flow. */
export interface FlowPurpose {
  readonly scope: AccountScope;
  readonly options: ProviderOptions;
  readonly redirectUri: string;
  readonly network: string;
}

/** Returns a flow with secrets of its own. */
export function newFlow(
  flows: FlowStore,
  config: FlowProvider,
  { scope, options, redirectUri, network }: FlowPurpose,
): BasicFlow {
  return {
    scope,
    providerId: config.providerId,
    clientId: clientIdOf(config),
    redirectUri,
    nonce: flows.createNonce(),
    codeVerifier: flows.randomText(),
    organization: organizationOf(config, options),
    network,
  };
}

/** Returns the address at which the user signs in. Rejects if the provider cannot be reached or is not valid. */
export async function signInAddress(
  services: ProviderClientServices,
  config: FlowProvider,
  options: ProviderOptions,
  flow: BegunFlow,
): Promise<string> {
  if (config.kind === 'saml') return samlAddress(services, config, flow);
  return (await authorizationUrl(services, config, options, flow)).href;
}

/**
 * Returns the statement of the provider about the user. Rejects with `CanceledAtProvider` if the user did not agree,
 * and with other errors if the provider reports one, does not answer, or if its response is not valid.
 */
export async function readProviderAnswer(
  services: ProviderClientServices,
  config: FlowProvider,
  parameters: URLSearchParams,
  flow: BegunFlow,
): Promise<ProviderAssertion> {
  if (config.kind === 'saml') {
    const assertion = await readSamlResponse(services, config, parameters.get('SAMLResponse') ?? '', flow);
    if (assertion === undefined) throw new CanceledAtProvider();
    return assertion;
  }
  try {
    return await readOAuthResponse(services, config, parameters, flow);
  } catch (cause) {
    if (cause instanceof oidc.AuthorizationResponseError && cause.error === 'access_denied')
      throw new CanceledAtProvider(undefined, { cause });
    throw cause;
  }
}
