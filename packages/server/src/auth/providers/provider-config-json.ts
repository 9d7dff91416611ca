import { X509Certificate } from 'node:crypto';
import { Secret, type SecretBox } from '../../platform/secret-box.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import {
  invalidConfig,
  requireDomains,
  requireFlag,
  requireOneOf,
  requirePageUrl,
} from '../projects/config-fields.ts';
import type { AccountScope } from '../tenants/scope.ts';
import {
  type EmailAuthority,
  type OidcConfig,
  type PresetConfig,
  type ProviderConfig,
  SAML_FIELDS,
  type SamlConfig,
} from './provider-config.ts';
import { hasSameSecretTarget, type SecretTarget, sealProviderSecret } from './provider-secret.ts';

const MAX_TEXT_LENGTH = 1_024;
const MAX_SECRET_LENGTH = 4_096;
const MAX_OTHER_CLIENTS = 100;
const MAX_CERTIFICATES = 10;
const MAX_CERTIFICATE_LENGTH = 16_384;

/** The arguments of parsing a configuration, in addition to its JSON. */
export interface ProviderConfigContext {
  readonly scope: AccountScope;
  readonly providerId: string;
  /** The configuration before the change; `undefined` for a new one. */
  readonly before: ProviderConfig | undefined;
  readonly secretBox: SecretBox;
}

/** Returns a configuration as the API shows it, without its name and its secrets. */
export function providerConfigJson(config: ProviderConfig): JsonObject {
  const shared = { displayName: config.displayName ?? undefined, enabled: config.isEnabled };
  switch (config.kind) {
    case 'preset': {
      const { appleKey, otherClientIds } = config;
      const apple =
        appleKey === null ? {} : { codeFlowConfig: { teamId: appleKey.teamId, keyId: appleKey.keyId } };
      const bundles = otherClientIds.length === 0 ? {} : { bundleIds: otherClientIds };
      const isApple = config.providerId === APPLE;
      return {
        enabled: config.isEnabled,
        clientId: config.clientId,
        ...(isApple ? { appleSignInConfig: { ...apple, ...bundles } } : {}),
        hearth: hearthJson(config, isApple ? [] : otherClientIds),
      };
    }
    case 'oidc':
      return {
        ...shared,
        clientId: config.clientId,
        issuer: config.issuer,
        responseType: config.responseType === 'code' ? { code: true } : { idToken: true },
        hearth: hearthJson(config, config.otherClientIds),
      };
    case 'saml':
      return {
        ...shared,
        idpConfig: {
          idpEntityId: config.idpEntityId,
          ssoUrl: config.ssoUrl,
          signRequest: config.signsRequests,
          idpCertificates: config.idpCertificates.map((x509Certificate) => ({ x509Certificate })),
        },
        spConfig: { spEntityId: config.spEntityId, callbackUri: config.callbackUri ?? undefined },
        hearth: {
          ...hearthJson(config, []),
          ...(config.attributeNames === undefined ? {} : { attributes: config.attributeNames }),
        },
      };
    default:
      return config satisfies never;
  }
}

/** The provider whose bundle ids the official API has in a member of its own. */
const APPLE = 'apple.com';

/** Returns the settings that the official API does not have. */
function hearthJson({ emailAuthority }: ProviderConfig, otherClientIds: readonly string[]): JsonObject {
  return {
    emailAuthority: emailAuthority.kind.toUpperCase(),
    ...(emailAuthority.kind === 'domains' ? { emailDomains: emailAuthority.domains } : {}),
    ...(otherClientIds.length === 0 ? {} : { otherClientIds }),
  };
}

/** Parses the configuration of a provider that clients know by name. Throws an `AuthApiError`. */
export function parsePresetConfig(json: JsonObject, context: ProviderConfigContext): PresetConfig {
  const { providerId, before } = context;
  requireMembers(json, '', ['enabled', 'clientId', 'clientSecret', 'appleSignInConfig', 'hearth']);
  const clientId = requireClientId(json['clientId']);
  const isApple = providerId === APPLE;
  if (!isApple && json['appleSignInConfig'] !== undefined)
    throw invalidConfig('appleSignInConfig', `absent for ${providerId}`);
  const apple = requireObject(json['appleSignInConfig'], 'appleSignInConfig');
  requireMembers(apple, 'appleSignInConfig.', ['codeFlowConfig', 'bundleIds']);
  const { emailAuthority, otherClientIds } = parseHearth(json['hearth']);
  const known = before?.kind === 'preset' ? before : undefined;
  return {
    kind: 'preset',
    providerId,
    displayName: null,
    isEnabled: requireFlag(json['enabled'] ?? false, 'enabled'),
    emailAuthority,
    clientId,
    sealedClientSecret: parseSecret(
      json['clientSecret'],
      'clientSecret',
      { kind: 'preset', providerId, clientId },
      known,
      known?.sealedClientSecret,
      context,
    ),
    otherClientIds: isApple
      ? requireTexts(apple['bundleIds'], 'appleSignInConfig.bundleIds')
      : otherClientIds,
    appleKey: parseAppleKey(apple['codeFlowConfig'], known, context),
  };
}

function parseAppleKey(
  value: unknown,
  before: PresetConfig | undefined,
  context: ProviderConfigContext,
): PresetConfig['appleKey'] {
  const path = 'appleSignInConfig.codeFlowConfig';
  const json = requireObject(value, path);
  if (Object.keys(json).length === 0) return null;
  requireMembers(json, `${path}.`, ['teamId', 'keyId', 'privateKey']);
  const target = {
    kind: 'apple-key',
    teamId: requireText(json['teamId'], `${path}.teamId`),
    keyId: requireText(json['keyId'], `${path}.keyId`),
  } as const;
  const known = before?.appleKey ?? undefined;
  const sealedPrivateKey = parseSecret(
    json['privateKey'],
    `${path}.privateKey`,
    target,
    known === undefined ? undefined : { ...known, kind: 'apple-key' },
    known?.sealedPrivateKey,
    context,
  );
  if (sealedPrivateKey === null) throw invalidConfig(`${path}.privateKey`, 'given for a new key');
  return { teamId: target.teamId, keyId: target.keyId, sealedPrivateKey };
}

/** Parses the configuration of an OpenID provider. Throws an `AuthApiError`. */
export function parseOidcConfig(json: JsonObject, context: ProviderConfigContext): OidcConfig {
  const { providerId, before } = context;
  requireMembers(json, '', [
    'enabled',
    'displayName',
    'clientId',
    'clientSecret',
    'issuer',
    'responseType',
    'hearth',
  ]);
  const clientId = requireClientId(json['clientId']);
  const issuer = requireIssuer(json['issuer']);
  const responseType = parseResponseType(json['responseType']);
  const known = before?.kind === 'oidc' ? before : undefined;
  const sealedClientSecret = parseSecret(
    json['clientSecret'],
    'clientSecret',
    { kind: 'oidc', providerId, clientId, issuer },
    known,
    known?.sealedClientSecret,
    context,
  );
  if (responseType === 'code' && sealedClientSecret === null)
    throw invalidConfig(
      'clientSecret',
      'given for the response type code, and again for another client or issuer',
    );
  return {
    kind: 'oidc',
    providerId,
    displayName: parseName(json['displayName']),
    isEnabled: requireFlag(json['enabled'] ?? false, 'enabled'),
    clientId,
    issuer,
    sealedClientSecret,
    responseType,
    ...parseHearth(json['hearth']),
  };
}

function requireIssuer(value: unknown): string {
  if (value === undefined || value === '') throw new AuthApiError('MISSING_ISSUER');
  const issuer = requirePageUrl(value, 'issuer');
  if (issuer === null || /[?#]/.test(issuer))
    throw invalidConfig('issuer', 'a URL without query and fragment');
  return issuer;
}

function parseResponseType(value: unknown): OidcConfig['responseType'] {
  const json = requireObject(value, 'responseType');
  requireMembers(json, 'responseType.', ['code', 'idToken', 'token']);
  if (json['token'] === true)
    throw invalidConfig('responseType.token', 'false: this server does not support it');
  const hasCode = requireFlag(json['code'] ?? false, 'responseType.code');
  const hasIdToken = requireFlag(json['idToken'] ?? !hasCode, 'responseType.idToken');
  if (hasCode === hasIdToken) throw invalidConfig('responseType', 'exactly one of code and idToken');
  return hasCode ? 'code' : 'id_token';
}

/** Parses the configuration of a SAML provider. Throws an `AuthApiError`. */
export function parseSamlConfig(json: JsonObject, { providerId }: ProviderConfigContext): SamlConfig {
  requireMembers(json, '', ['enabled', 'displayName', 'idpConfig', 'spConfig', 'hearth']);
  const idp = requireObject(json['idpConfig'], 'idpConfig');
  requireMembers(idp, 'idpConfig.', ['idpEntityId', 'ssoUrl', 'signRequest', 'idpCertificates']);
  const sp = requireObject(json['spConfig'], 'spConfig');
  requireMembers(sp, 'spConfig.', ['spEntityId', 'callbackUri', 'spCertificates']);
  if (sp['spEntityId'] === undefined) throw new AuthApiError('MISSING_SAML_RELYING_PARTY_CONFIG');
  const ssoUrl = requirePageUrl(idp['ssoUrl'], 'idpConfig.ssoUrl');
  if (ssoUrl === null) throw invalidConfig('idpConfig.ssoUrl', 'an https address');
  const { attributes, ...withoutAttributes } = requireObject(json['hearth'], 'hearth');
  const names = parseAttributeNames(attributes);
  return {
    kind: 'saml',
    providerId,
    displayName: parseName(json['displayName']),
    isEnabled: requireFlag(json['enabled'] ?? false, 'enabled'),
    emailAuthority: parseHearth(withoutAttributes).emailAuthority,
    ...(names === undefined ? {} : { attributeNames: names }),
    idpEntityId: requireText(idp['idpEntityId'], 'idpConfig.idpEntityId'),
    ssoUrl,
    signsRequests: requireFlag(idp['signRequest'] ?? false, 'idpConfig.signRequest'),
    idpCertificates: requireCertificates(idp['idpCertificates'], 'idpConfig.idpCertificates'),
    spEntityId: requireText(sp['spEntityId'], 'spConfig.spEntityId'),
    callbackUri: requirePageUrl(sp['callbackUri'] ?? '', 'spConfig.callbackUri'),
  };
}

/** Parses the names of the attributes that hold the fields of an account. */
function parseAttributeNames(value: unknown): SamlConfig['attributeNames'] {
  const json = requireObject(value, 'hearth.attributes');
  requireMembers(json, 'hearth.attributes.', SAML_FIELDS);
  const given = SAML_FIELDS.filter((field) => json[field] !== undefined && json[field] !== '');
  if (given.length === 0) return undefined;
  return Object.fromEntries(
    given.map((field) => [field, requireText(json[field], `hearth.attributes.${field}`)]),
  );
}

function requireCertificates(value: unknown, path: string): readonly string[] {
  const expected = `a list of 1 to ${MAX_CERTIFICATES} objects with an X.509 certificate in PEM as "x509Certificate"`;
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_CERTIFICATES)
    throw invalidConfig(path, expected);
  return value.map((item: unknown) => {
    const text = isJsonObject(item) ? item['x509Certificate'] : undefined;
    if (typeof text !== 'string' || text.length > MAX_CERTIFICATE_LENGTH || !isCertificate(text))
      throw invalidConfig(path, expected);
    return text;
  });
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).publicKey.asymmetricKeyType !== undefined;
  } catch {
    return false;
  }
}

/** Parses the settings that the official API does not have. */
function parseHearth(value: unknown): {
  readonly emailAuthority: EmailAuthority;
  readonly otherClientIds: readonly string[];
} {
  const json = requireObject(value, 'hearth');
  requireMembers(json, 'hearth.', ['emailAuthority', 'emailDomains', 'otherClientIds']);
  const word = requireOneOf(json['emailAuthority'] ?? 'DEFAULT', 'hearth.emailAuthority', [
    'DEFAULT',
    'NEVER',
    'VERIFIED',
    'DOMAINS',
  ]);
  return {
    emailAuthority: authorityOf(word, json['emailDomains']),
    otherClientIds: requireTexts(json['otherClientIds'], 'hearth.otherClientIds'),
  };
}

function authorityOf(word: 'DEFAULT' | 'NEVER' | 'VERIFIED' | 'DOMAINS', domains: unknown): EmailAuthority {
  switch (word) {
    case 'DEFAULT':
      return { kind: 'default' };
    case 'NEVER':
      return { kind: 'never' };
    case 'VERIFIED':
      return { kind: 'verified' };
    case 'DOMAINS':
      return { kind: 'domains', domains: requireDomains(domains ?? [], 'hearth.emailDomains') };
    default:
      return word satisfies never;
  }
}

/**
 * Seals a secret. Without one, returns the stored secret if it is meant for the same server and client, and `null`
 * otherwise; an empty text removes it.
 */
function parseSecret(
  value: unknown,
  path: string,
  target: SecretTarget,
  before: SecretTarget | undefined,
  sealed: string | null | undefined,
  { secretBox, scope }: ProviderConfigContext,
): string | null {
  if (value === '') return null;
  if (value === undefined)
    return before !== undefined && hasSameSecretTarget(before, target) ? (sealed ?? null) : null;
  if (typeof value !== 'string' || value.length > MAX_SECRET_LENGTH)
    throw invalidConfig(path, `a text of at most ${MAX_SECRET_LENGTH} characters`);
  return sealProviderSecret(secretBox, scope, target, new Secret(value));
}

function requireClientId(value: unknown): string {
  if (value === undefined || value === '') throw new AuthApiError('MISSING_OAUTH_CLIENT_ID');
  return requireText(value, 'clientId');
}

function parseName(value: unknown): string | null {
  return value === undefined || value === '' ? null : requireText(value, 'displayName');
}

function requireText(value: unknown, path: string): string {
  if (typeof value !== 'string' || value === '' || value.length > MAX_TEXT_LENGTH || !value.isWellFormed())
    throw invalidConfig(path, `a text of 1 to ${MAX_TEXT_LENGTH} characters`);
  return value;
}

function requireTexts(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value) || value.length > MAX_OTHER_CLIENTS)
    throw invalidConfig(path, `a list of at most ${MAX_OTHER_CLIENTS} texts`);
  return value.map((item) => requireText(item, path));
}

function requireObject(value: unknown, path: string): JsonObject {
  if (value === undefined) return {};
  if (!isJsonObject(value)) throw invalidConfig(path, 'an object');
  return value;
}

/** Throws for members that this server does not know, so that no administrator relies on them. */
function requireMembers(json: JsonObject, prefix: string, known: readonly string[]): void {
  const unknown = Object.keys(json).find((name) => !known.includes(name));
  if (unknown !== undefined)
    throw new AuthApiError('INVALID_CONFIG', `${prefix}${unknown} is not a setting of this server.`);
}
