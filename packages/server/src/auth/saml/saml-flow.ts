import type { ProviderAssertion } from '../providers/assertion.ts';
import type { SamlConfig } from '../providers/provider-config.ts';
import { ProviderFailure } from '../providers/provider-requests.ts';
import type { AuthServices } from '../services.ts';
import type { AccountScope } from '../tenants/scope.ts';
import { readSamlAssertion } from './assertion.ts';
import { decodeDocument } from './document.ts';
import { openServiceKey, openServicePrivateKey } from './service-key.ts';
import type { SamlPeers } from './thread-task.ts';

type Services = Pick<AuthServices, 'providers' | 'recordStore' | 'secretBox' | 'clock' | 'randomBytes'>;

/** The data of a flow that a sign-in at a SAML provider needs. */
interface SamlFlow {
  readonly scope: AccountScope;
  readonly state: string;
  readonly nonce: string;
  /** The address that receives the response. */
  readonly redirectUri: string;
  readonly network: string;
}

/** Returns the ID of a request. The underscore is needed, because an ID in XML cannot begin with a digit. */
function requestIdOf({ nonce }: SamlFlow): string {
  return `_${nonce}`;
}

function peersOf({ ssoUrl, spEntityId }: SamlConfig, { redirectUri }: SamlFlow): SamlPeers {
  return { ssoUrl, spEntityId, callbackUrl: redirectUri };
}

/** Returns the address at which the user signs in, with a request of this server. */
export async function samlAddress(services: Services, config: SamlConfig, flow: SamlFlow): Promise<string> {
  const privateKey = config.signsRequests
    ? openServicePrivateKey(services, flow.scope, await openServiceKey(services, flow.scope))
    : null;
  const reply = await services.providers.saml.run(
    {
      kind: 'authorize',
      provider: peersOf(config, flow),
      requestId: requestIdOf(flow),
      relayState: flow.state,
      privateKey,
    },
    flow.network,
  );
  if (reply.kind === 'address') return reply.address;
  throw new ProviderFailure(reply.kind === 'invalid' ? reply.message : 'No request was made.');
}

/**
 * Returns the statements of the provider's response to the request of the flow; `undefined` if the user did not
 * agree. Throws a `ProviderFailure` if the response is not valid.
 */
export async function readSamlResponse(
  { providers, clock }: Pick<AuthServices, 'providers' | 'clock'>,
  config: SamlConfig,
  response: string,
  flow: SamlFlow,
): Promise<ProviderAssertion | undefined> {
  const [requestId, provider] = [requestIdOf(flow), peersOf(config, flow)];
  const { callbackUrl } = provider;
  const xml = decodeDocument(response);
  const { idpCertificates: certificates } = config;
  const reply = await providers.saml.run(
    { kind: 'verify', provider, requestId, certificates, xml },
    flow.network,
  );
  switch (reply.kind) {
    case 'canceled':
      return undefined;
    case 'verified':
      if (reply.destination !== null && reply.destination !== callbackUrl)
        throw new ProviderFailure(`The response is for ${reply.destination}, and not for ${callbackUrl}.`);
      return readSamlAssertion(config, reply.assertion, { requestId, callbackUrl, nowMs: clock.nowMs() });
    case 'invalid':
      throw new ProviderFailure(`The response is not valid. ${reply.message}`);
    case 'address':
    case 'metadata':
      throw new Error('Bug: the thread replied to another task.');
    default:
      return reply satisfies never;
  }
}
