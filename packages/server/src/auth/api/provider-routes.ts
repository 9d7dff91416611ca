import { testRecaptcha } from '../captcha/recaptcha.ts';
import { revokeToken } from '../flows/revoke-token.ts';
import { testProvider } from '../flows/self-test.ts';
import { testHook } from '../hooks/self-test.ts';
import {
  createProviderConfig,
  deleteProviderConfig,
  listPresets,
  listProviders,
  PROVIDER_COLLECTIONS,
  type ProviderCollection,
  readProviderConfig,
  updateProviderConfig,
} from '../providers/provider-config-methods.ts';
import { signInWithIdp } from '../providers/sign-in-with-idp.ts';
import { readMetadata } from '../saml/metadata.ts';
import { rotateServiceKey } from '../saml/rotate-key.ts';
import { createAuthUri } from '../sign-in/providers.ts';
import type { MethodRoute } from './router.ts';

/** Longest body with the metadata of an identity provider, in bytes. JSON may need two characters for one. */
const MAX_METADATA_BODY_BYTES = 524_288;

const READING = { audience: 'admin', role: 'identity.viewer', servesDisabled: true } as const;
const CHANGING = { audience: 'admin', role: 'identity.configAdmin', servesDisabled: true } as const;

function routesOf(collection: ProviderCollection): readonly MethodRoute[] {
  const list = `/v2/projects/{project}/${collection.name}`;
  const one = `${list}/{provider}`;
  return [
    { ...READING, method: 'GET', path: list, run: listProviders(collection) },
    { ...CHANGING, method: 'POST', path: list, run: createProviderConfig(collection) },
    { ...READING, method: 'GET', path: one, run: readProviderConfig(collection) },
    { ...CHANGING, method: 'PATCH', path: one, run: updateProviderConfig(collection) },
    { ...CHANGING, method: 'DELETE', path: one, run: deleteProviderConfig(collection) },
  ];
}

/** Routes for sign-in with other providers, for their configurations, and for tests of what a project connects. */
export const PROVIDER_ROUTES: readonly MethodRoute[] = [
  { method: 'POST', path: '/v1/accounts:signInWithIdp', audience: 'anyone', run: signInWithIdp },
  { method: 'POST', path: '/v1/accounts:createAuthUri', audience: 'anyone', run: createAuthUri },
  { method: 'POST', path: '/v2/accounts:revokeToken', audience: 'anyone', run: revokeToken },
  { ...READING, method: 'GET', path: '/v2/defaultSupportedIdps', run: listPresets },
  ...PROVIDER_COLLECTIONS.flatMap(routesOf),
  {
    ...CHANGING,
    method: 'POST',
    path: '/v2/projects/{project}/identityProviders/{provider}:test',
    run: testProvider,
  },
  { ...CHANGING, method: 'POST', path: '/v2/projects/{project}/recaptcha:test', run: testRecaptcha },
  {
    ...CHANGING,
    method: 'POST',
    path: '/v2/projects/{project}/blockingFunctions/{event}:test',
    run: testHook,
  },
  {
    ...CHANGING,
    method: 'POST',
    path: '/v2/projects/{project}/inboundSamlConfigs:readMetadata',
    maxBodyBytes: MAX_METADATA_BODY_BYTES,
    run: readMetadata,
  },
  {
    ...CHANGING,
    method: 'POST',
    path: '/v2/projects/{project}/inboundSamlConfigs:rotateKey',
    run: rotateServiceKey,
  },
];
