import { sign } from 'node:crypto';
import type { Claims } from './claims.ts';
import { encodeJwt } from './jwt-text.ts';
import { generateRsaKeyPair, type RsaKeyPair } from './rsa-key-pair.ts';
import { type ServiceAccount, serviceAccountEmail } from './service-account.ts';

/** A service account together with the key that only its owner has. */
export interface TestServiceAccount {
  readonly account: ServiceAccount;
  readonly pair: RsaKeyPair;
}

export async function testServiceAccount(projectId: string): Promise<TestServiceAccount> {
  const pair = await generateRsaKeyPair();
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

/** A JWT as a client library signs it; without `kid` unless the header says one. */
export function signJwt(claims: Claims, { privateKey }: RsaKeyPair, header: Claims = {}): string {
  const signed = encodeJwt({ alg: 'RS256', typ: 'JWT', ...header }, claims);
  return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
}
