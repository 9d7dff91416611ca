import type { AuthClient } from '../api/auth-client.fixture.ts';

/** Creates a tenant of the project `demo`, and returns its id. */
export async function createTestTenant(client: AuthClient, config: object): Promise<string> {
  const { json } = await client.admin('/v2/projects/demo/tenants', { ...config });
  return String(json['name']).split('/').at(-1) ?? '';
}

/** Settings of a tenant with every sign-in method. */
export const OPEN_TENANT = {
  allowPasswordSignup: true,
  enableEmailLinkSignin: true,
  enableAnonymousUser: true,
  mfaConfig: {
    state: 'ENABLED',
    providerConfigs: [{ state: 'ENABLED', totpProviderConfig: { adjacentIntervals: 1 } }],
  },
};
