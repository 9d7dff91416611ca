/** Decides which addresses of a provider prove that the user owns them. */
export type EmailAuthority =
  /** As the preset of the provider says; for other providers, no address. */
  | { readonly kind: 'default' }
  | { readonly kind: 'never' }
  /** The addresses that the provider states to be verified. */
  | { readonly kind: 'verified' }
  /** Of those, only the ones at these domains. */
  | { readonly kind: 'domains'; readonly domains: readonly string[] };

interface SharedConfig {
  readonly providerId: string;
  readonly displayName: string | null;
  readonly isEnabled: boolean;
  readonly emailAuthority: EmailAuthority;
}

/** A provider of which Hearth knows the addresses and the peculiarities, such as `google.com`. */
export interface PresetConfig extends SharedConfig {
  readonly kind: 'preset';
  readonly clientId: string;
  readonly sealedClientSecret: string | null;
  /** Ids of other clients of the same app: native apps, and Apple's bundle ids. */
  readonly otherClientIds: readonly string[];
  /** The key with which Hearth signs client secrets for Apple; `null` for other providers, or if it is not set. */
  readonly appleKey: {
    readonly teamId: string;
    readonly keyId: string;
    readonly sealedPrivateKey: string;
  } | null;
}

/** An OpenID provider that the project names itself: `oidc.…`. */
export interface OidcConfig extends SharedConfig {
  readonly kind: 'oidc';
  readonly clientId: string;
  /** An https URL, exactly as the tokens of the provider contain it. */
  readonly issuer: string;
  readonly sealedClientSecret: string | null;
  /** The result of the authorization endpoint: a code that the server redeems, or an ID token. */
  readonly responseType: 'code' | 'id_token';
  /** Ids of other clients whose ID tokens are accepted. */
  readonly otherClientIds: readonly string[];
}

/** A SAML identity provider: `saml.…`. */
export interface SamlConfig extends SharedConfig {
  readonly kind: 'saml';
  readonly idpEntityId: string;
  readonly ssoUrl: string;
  readonly signsRequests: boolean;
  /** In PEM, at least one. */
  readonly idpCertificates: readonly string[];
  readonly spEntityId: string;
  /** The address that receives responses; `null` for the project's handler. */
  readonly callbackUri: string | null;
  /** The attributes that hold the fields of an account, for providers that use names of their own. Absent for none. */
  readonly attributeNames?: Readonly<Partial<Record<SamlField, string>>>;
}

/** The fields of an account that come from SAML attributes. */
export const SAML_FIELDS = ['email', 'displayName', 'firstName', 'lastName', 'photoUrl'] as const;

export type SamlField = (typeof SAML_FIELDS)[number];

/** How the users of a project sign in with one provider. Secrets are sealed. */
export type ProviderConfig = PresetConfig | OidcConfig | SamlConfig;

/**
 * Returns a configuration as it is stored: JSON text, because the record store would drop empty lists and `null`.
 * History: this is the first format; it stores no version number.
 */
export function encodeProviderConfig(config: ProviderConfig): string {
  return JSON.stringify(config);
}

export function decodeProviderConfig(json: unknown): ProviderConfig {
  if (typeof json !== 'string') throw new Error('Bug: a stored provider configuration is not text.');
  return JSON.parse(json) as ProviderConfig;
}
