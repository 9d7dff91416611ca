import { Secret, type SecretBox } from '../../platform/secret-box.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import type { PresetConfig, ProviderConfig } from './provider-config.ts';

/** The members of a configuration that say where its secrets are sent. */
export type SecretTarget =
  | { readonly kind: 'preset'; readonly providerId: string; readonly clientId: string }
  | {
      readonly kind: 'oidc';
      readonly providerId: string;
      readonly clientId: string;
      readonly issuer: string;
    }
  | { readonly kind: 'apple-key'; readonly teamId: string; readonly keyId: string };

/**
 * Returns the context that binds a sealed secret to the server and the client for which it is meant. So an
 * administrator cannot make the server send the secret of a provider elsewhere by changing the configuration.
 */
function contextOf(scope: AccountScope, target: SecretTarget): string {
  return `provider/${JSON.stringify([nameOfScope(scope), ...parts(target)])}`;
}

function parts(target: SecretTarget): readonly string[] {
  switch (target.kind) {
    case 'preset':
      return [target.kind, target.providerId, target.clientId];
    case 'oidc':
      return [target.kind, target.providerId, target.clientId, target.issuer];
    case 'apple-key':
      return [target.kind, target.teamId, target.keyId];
    default:
      return target satisfies never;
  }
}

/** Returns whether the secrets of two configurations are sent to the same place. */
export function hasSameSecretTarget(a: SecretTarget, b: SecretTarget): boolean {
  return JSON.stringify(parts(a)) === JSON.stringify(parts(b));
}

export function sealProviderSecret(
  box: SecretBox,
  scope: AccountScope,
  target: SecretTarget,
  secret: Secret,
): string {
  return box.seal(secret.reveal(), contextOf(scope, target));
}

/** Decrypts the client secret of a configuration; `undefined` if it has none. */
export function openClientSecret(
  box: SecretBox,
  scope: AccountScope,
  config: Exclude<ProviderConfig, { readonly kind: 'saml' }>,
): Secret | undefined {
  if (config.sealedClientSecret === null) return undefined;
  return new Secret(box.open(config.sealedClientSecret, contextOf(scope, config)).toString());
}

/** Decrypts the key with which the server signs client secrets for Apple. */
export function openAppleKey(
  box: SecretBox,
  scope: AccountScope,
  { teamId, keyId, sealedPrivateKey }: NonNullable<PresetConfig['appleKey']>,
): Secret {
  return new Secret(
    box.open(sealedPrivateKey, contextOf(scope, { kind: 'apple-key', teamId, keyId })).toString(),
  );
}
