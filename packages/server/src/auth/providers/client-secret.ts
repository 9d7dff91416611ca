import { createPrivateKey, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { Secret, type SecretBox } from '../../platform/secret-box.ts';
import type { AccountScope } from '../tenants/scope.ts';
import type { OidcConfig, PresetConfig } from './provider-config.ts';
import { ProviderFailure } from './provider-requests.ts';
import { openAppleKey, openClientSecret } from './provider-secret.ts';

/** How long a client secret for Apple is valid, in s. The server makes one for each request. */
const LIFETIME_SEC = 300;
const APPLE_AUDIENCE = 'https://appleid.apple.com';

/**
 * Returns the secret with which the server identifies itself to a provider; `undefined` if the configuration has none.
 * For Apple, the secret is a token that the server signs with the key of the team. Throws a `ProviderFailure` if that key
 * is not valid.
 */
export async function clientSecretOf(
  box: SecretBox,
  scope: AccountScope,
  config: PresetConfig | OidcConfig,
  nowMs: number,
): Promise<Secret | undefined> {
  if (config.kind === 'oidc' || config.appleKey === null) return openClientSecret(box, scope, config);
  const { teamId, keyId } = config.appleKey;
  const nowSec = Math.floor(nowMs / 1_000);
  const token = await new SignJWT()
    .setProtectedHeader({ alg: 'ES256', kid: keyId })
    .setIssuer(teamId)
    .setSubject(config.clientId)
    .setAudience(APPLE_AUDIENCE)
    .setIssuedAt(nowSec)
    .setExpirationTime(nowSec + LIFETIME_SEC)
    .sign(parseAppleKey(openAppleKey(box, scope, config.appleKey).reveal()));
  return new Secret(token);
}

/** Parses the private key that Apple gives to a team. Throws a `ProviderFailure` if it is not a key for ES256. */
function parseAppleKey(pem: string): KeyObject {
  const key = tryParse(pem);
  if (key?.asymmetricKeyDetails?.namedCurve !== 'prime256v1')
    throw new ProviderFailure(
      "The private key for Apple is not the content of a .p8 file of Apple: it must begin with '-----BEGIN PRIVATE KEY-----'.",
    );
  return key;
}

function tryParse(pem: string): KeyObject | undefined {
  try {
    return createPrivateKey(pem);
  } catch {
    // The error of the library could contain a part of the key.
    return undefined;
  }
}
