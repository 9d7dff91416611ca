import * as oidc from 'openid-client';
import type { ProviderAssertion } from '../providers/assertion.ts';
import type { ProviderConfig, SamlConfig } from '../providers/provider-config.ts';
import { readSamlResponse, samlAddress } from '../saml/saml-flow.ts';
import type { Flow } from './flow-store.ts';
import {
  authorizationUrl,
  type CodeProvider,
  findCodeProvider,
  type ProviderClientServices,
  redeemCode,
} from './provider-client.ts';
import type { ProviderOptions } from './start-request.ts';

/** A provider with which the pages of the server sign users in. */
export type FlowProvider = CodeProvider | SamlConfig;

/** How a provider sends the browser back: with parameters in the address, or with a form. */
export type ReturnWay = 'address' | 'form';

/** A flow that has begun, and the text that identifies it. */
export type BegunFlow = Flow & { readonly state: string };

/** Thrown if the user did not agree at the provider. */
export class CanceledAtProvider extends Error {}

/** Returns the configuration if it is enabled and the pages of the server can use it. */
export function findFlowProvider(config: ProviderConfig | undefined): FlowProvider | undefined {
  if (config === undefined || !config.isEnabled) return undefined;
  return config.kind === 'saml' ? config : findCodeProvider(config);
}

export function returnWayOf(config: FlowProvider): ReturnWay {
  return config.kind === 'saml' ? 'form' : 'address';
}

/** Returns what identifies the app to the provider. */
export function clientIdOf(config: FlowProvider): string {
  return config.kind === 'saml' ? config.spEntityId : config.clientId;
}

/** Returns the address to which the provider returns: that of the handler, unless the configuration names another. */
export function returnAddressOf(config: FlowProvider, handler: string): string {
  return config.kind === 'saml' ? (config.callbackUri ?? handler) : handler;
}

/** Returns the address at which the user signs in. Rejects if the provider cannot be reached or is not valid. */
export async function signInAddress(
  services: ProviderClientServices,
  config: FlowProvider,
  options: ProviderOptions,
  flow: BegunFlow,
): Promise<string> {
  if (config.kind === 'saml') return samlAddress(services.providers.saml, config, flow);
  return (await authorizationUrl(services, flow, config, options, flow)).href;
}

/**
 * Returns what the provider states. Rejects with `CanceledAtProvider` if the user did not agree, and with other errors if
 * the provider reports one, does not answer, or if its response is not valid.
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
  // The provider knows this page by the address that was sent to it, whatever the request names.
  const returnedTo = new URL(flow.redirectUri);
  returnedTo.search = parameters.toString();
  try {
    return await redeemCode(services, flow, config, returnedTo, flow);
  } catch (cause) {
    if (cause instanceof oidc.AuthorizationResponseError && cause.error === 'access_denied')
      throw new CanceledAtProvider(undefined, { cause });
    throw cause;
  }
}
