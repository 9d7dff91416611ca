import { CLIENT } from '../drivers/oidc-server.ts';
import type { Serving } from './serving.ts';

/** ID of the provider in a project. */
export const PROVIDER_ID = 'oidc.work';

/** Returns the configuration of a project or a tenant for the provider at `issuer`. */
export function providerConfig(issuer: string) {
  return {
    enabled: true,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    issuer,
    responseType: { code: true },
  };
}

/** Adds the provider at `issuer` to the project `shop`, and authorizes the hosts of the project's apps. */
export async function addProvider(
  serving: Serving,
  issuer: string,
  authorizedDomains: readonly string[] = ['localhost'],
): Promise<void> {
  await serving.admin('PATCH', '/v2/projects/shop/config?updateMask=authorizedDomains', {
    authorizedDomains,
  });
  await serving.admin(
    'POST',
    `/v2/projects/shop/oauthIdpConfigs?oauthIdpConfigId=${PROVIDER_ID}`,
    providerConfig(issuer),
  );
}
