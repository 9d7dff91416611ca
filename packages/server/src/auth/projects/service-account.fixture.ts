import { sign } from 'node:crypto';
import { type Claims, encodeJwt } from '../tokens/jwt.ts';
import { takeRsaKeyPair } from '../tokens/rsa-key-pairs.fixture.ts';
import type { RsaKeyPair } from '../tokens/signing-keys.ts';
import { type ServiceAccount, serviceAccountEmail } from './service-account.ts';

/** A service account and its key pair. The server has only the public key. */
export interface TestServiceAccount {
  readonly account: ServiceAccount;
  readonly pair: RsaKeyPair;
}

export async function testServiceAccount(projectId: string): Promise<TestServiceAccount> {
  const pair = takeRsaKeyPair();
  const account: ServiceAccount = {
    email: serviceAccountEmail('admin', projectId),
    projectId,
    roles: ['identity.admin'],
    keys: [{ keyId: 'key1', publicKey: publicPem(pair) }],
  };
  return { account, pair };
}

export function publicPem({ publicKey }: RsaKeyPair): string {
  return publicKey.export({ format: 'pem', type: 'spki' }).toString();
}

/** Signs a JWT as a client library does. It has no `kid` unless `header` contains one. */
export function signJwt(claims: Claims, { privateKey }: RsaKeyPair, header: Claims = {}): string {
  const signed = encodeJwt({ alg: 'RS256', typ: 'JWT', ...header }, claims);
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}
