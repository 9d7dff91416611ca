import type { Api } from './client.ts';

/** The kinds of providers in the Auth API: the name of the collection, and the parameter that names a new provider. */
const COLLECTIONS = {
  preset: { name: 'defaultSupportedIdpConfigs', idParameter: 'idpId' },
  oidc: { name: 'oauthIdpConfigs', idParameter: 'oauthIdpConfigId' },
  saml: { name: 'inboundSamlConfigs', idParameter: 'inboundSamlConfigId' },
} as const;

export type ProviderKind = keyof typeof COLLECTIONS;

/** The fields of a SAML provider that its metadata contain. */
export interface SamlIdentityProvider {
  readonly idpEntityId?: string;
  readonly ssoUrl?: string;
  readonly signRequest?: boolean;
  /** Certificates in PEM. */
  readonly idpCertificates?: readonly { readonly x509Certificate?: string }[];
}

/** An identity provider of a project, in the format of the Auth API. Secrets are never returned. */
export interface ProviderConfig {
  /** The name of the resource, which ends with the provider ID. */
  readonly name: string;
  readonly enabled?: boolean;
  readonly displayName?: string;
  readonly clientId?: string;
  readonly issuer?: string;
  readonly appleSignInConfig?: {
    readonly codeFlowConfig?: { readonly teamId?: string; readonly keyId?: string };
  };
  /** Of a SAML provider. */
  readonly idpConfig?: SamlIdentityProvider;
  readonly spConfig?: {
    readonly spEntityId?: string;
    readonly spCertificates?: readonly ServiceCertificate[];
  };
}

/** A certificate with which this server signs requests to SAML providers. */
export interface ServiceCertificate {
  /** In PEM. */
  readonly x509Certificate: string;
  readonly expiresAt: string;
}

/** Returns the certificates of the project's key for SAML, and of the next key; none without a SAML provider. */
export function serviceCertificates(configs: readonly ProviderConfig[]): readonly ServiceCertificate[] {
  return (
    configs.find(({ spConfig }) => spConfig?.spCertificates !== undefined)?.spConfig?.spCertificates ?? []
  );
}

/** A step in which the next key for SAML replaces the key in use. */
export type RotationStep = 'PREPARE' | 'FINISH' | 'CANCEL';

/** A provider whose addresses the server knows. */
export interface ProviderPreset {
  readonly idpId: string;
  readonly description: string;
}

/** New values of fields of a configuration. Fields without a new value, such as secrets, stay unchanged. */
export type ProviderChange = Readonly<Record<string, unknown>>;

export function idOf({ name }: ProviderConfig): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

export function kindOf(id: string): ProviderKind {
  if (id.startsWith('oidc.')) return 'oidc';
  return id.startsWith('saml.') ? 'saml' : 'preset';
}

function baseOf(project: string): string {
  return `/identitytoolkit.googleapis.com/v2/projects/${encodeURIComponent(project)}`;
}

/** Lists the configured providers of all kinds. A project has at most 200. */
export async function listProviders(api: Api, project: string): Promise<readonly ProviderConfig[]> {
  const lists = await Promise.all(
    Object.values(COLLECTIONS).map(({ name }) => listCollection(api, `${baseOf(project)}/${name}`, name)),
  );
  return lists.flat();
}

async function listCollection(api: Api, address: string, name: string): Promise<readonly ProviderConfig[]> {
  const found: ProviderConfig[] = [];
  let pageToken: string | undefined;
  do {
    const page = await api.json<Readonly<Record<string, unknown>>>(address, {
      query: { pageSize: 100, pageToken },
    });
    const list = page[name];
    if (Array.isArray(list)) found.push(...(list as readonly ProviderConfig[]));
    pageToken = typeof page['nextPageToken'] === 'string' ? page['nextPageToken'] : undefined;
  } while (pageToken !== undefined);
  return found;
}

export async function listPresets(api: Api): Promise<readonly ProviderPreset[]> {
  const { defaultSupportedIdps } = await api.json<{
    readonly defaultSupportedIdps: readonly ProviderPreset[];
  }>('/identitytoolkit.googleapis.com/v2/defaultSupportedIdps');
  return defaultSupportedIdps;
}

export async function createProvider(
  api: Api,
  project: string,
  id: string,
  body: ProviderChange,
): Promise<void> {
  const { name, idParameter } = COLLECTIONS[kindOf(id)];
  await api.json(`${baseOf(project)}/${name}`, { method: 'POST', query: { [idParameter]: id }, body });
}

export async function changeProvider(
  api: Api,
  project: string,
  id: string,
  body: ProviderChange,
): Promise<void> {
  const updateMask = Object.keys(body).map(maskOf).join(',');
  await api.json(providerAddress(project, id), { method: 'PATCH', query: { updateMask }, body });
}

/** The fields that the console changes inside the objects for Apple and for this server's side of SAML. */
const MASKS: Readonly<Record<string, string>> = {
  appleSignInConfig: 'appleSignInConfig.codeFlowConfig',
  spConfig: 'spConfig.spEntityId',
};

/** Returns the update mask of a field. */
function maskOf(member: string): string {
  return MASKS[member] ?? member;
}

/** Parses the metadata of a SAML provider on the server. Stores nothing. */
export async function readSamlMetadata(
  api: Api,
  project: string,
  metadata: string,
): Promise<SamlIdentityProvider> {
  const address = `${baseOf(project)}/${COLLECTIONS.saml.name}:readMetadata`;
  const { idpConfig } = await api.json<{ readonly idpConfig: SamlIdentityProvider }>(address, {
    method: 'POST',
    body: { metadata },
  });
  return idpConfig;
}

/** Creates the next key for SAML, uses it from now on, or removes it. */
export async function rotateSamlKey(api: Api, project: string, step: RotationStep): Promise<void> {
  await api.json(`${baseOf(project)}/${COLLECTIONS.saml.name}:rotateKey`, { method: 'POST', body: { step } });
}

export async function removeProvider(api: Api, project: string, id: string): Promise<void> {
  await api.send(providerAddress(project, id), { method: 'DELETE' });
}

/** The result of the test of one part of a configuration. */
export interface ProviderTest {
  readonly name: 'configuration' | 'discovery' | 'keys' | 'clock' | 'redirect' | 'secret' | 'certificates';
  readonly state: 'ok' | 'warning' | 'failed';
  /** The problem, and the place to fix it. */
  readonly message?: string;
}

/** Tests the configuration of a provider. */
export async function testProvider(api: Api, project: string, id: string): Promise<readonly ProviderTest[]> {
  const address = `${baseOf(project)}/identityProviders/${encodeURIComponent(id)}:test`;
  const { tests } = await api.json<{ readonly tests: readonly ProviderTest[] }>(address, {
    method: 'POST',
    body: {},
  });
  return tests;
}

function providerAddress(project: string, id: string): string {
  return `${baseOf(project)}/${COLLECTIONS[kindOf(id)].name}/${encodeURIComponent(id)}`;
}
