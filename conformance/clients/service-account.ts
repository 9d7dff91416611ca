import { generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('rsa', {
  modulusLength: 2048,
  publicKeyEncoding: { type: 'spki', format: 'pem' },
  privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
});

/** A service account with its private key. */
export const SERVICE_ACCOUNT = {
  projectId: 'demo',
  clientEmail: 'server@demo.example.com',
  privateKey,
} as const;

/** The public key of the service account, in PEM; a server verifies signatures with this key. */
export const SERVICE_ACCOUNT_PUBLIC_KEY = publicKey;
