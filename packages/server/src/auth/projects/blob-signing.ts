import { createPrivateKey, sign } from 'node:crypto';
import { promisify } from 'node:util';
import { INSTALLATION, type RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import type { JsonObject } from '../fields.ts';
import { decodeBase64 } from '../passwords/hash-parameters.ts';
import type { AuthRequest, ServiceAccountKeyName } from '../request.ts';
import type { AuthServices } from '../services.ts';
import { generateRsaKeyPair } from '../tokens/signing-keys.ts';
import { type BlobSignerRecord, decodeBlobSigner, keysPath, signersPath } from './service-account.ts';

const SIGNER_ID_BYTES = 20;

const signInThread = promisify(sign);

/**
 * `signBlob`: signs bytes for the service account that sends the request, so that official libraries can create
 * custom tokens without its private key.
 */
export async function signBlob(
  { caller, segments, fields }: AuthRequest,
  services: AuthServices,
): Promise<JsonObject> {
  const key = caller.kind === 'admin' ? caller.serviceAccountKey : undefined;
  if (key === undefined || key.email !== segments['account'])
    throw new AuthApiError('PERMISSION_DENIED', 'A service account can sign only as itself.');
  const payload = decodeBase64(fields.require('payload', 'INVALID_ARGUMENT', '"payload" is missing.'));
  if (payload === undefined) throw new AuthApiError('INVALID_ARGUMENT', '"payload" must be bytes in base64.');
  const { signerId, sealedPrivateKey } = await openSigner(services, key);
  const der = services.secretBox.open(sealedPrivateKey, sealContext(signerId));
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signature = await signInThread('RSA-SHA256', payload, privateKey);
  return { keyId: signerId, signedBlob: signature.toString('base64') };
}

function sealContext(signerId: string): string {
  return `blob signer ${signerId}`;
}

/**
 * Returns the key pair with which the server signs for a key of a service account; creates the key pair at the first
 * use. Rejects with `UNAUTHENTICATED` if the key was removed.
 */
async function openSigner(
  { recordStore, secretBox, randomBytes }: AuthServices,
  { email, keyId }: ServiceAccountKeyName,
): Promise<BlobSignerRecord> {
  const path = [...signersPath(email), keyId];
  const find = (records: RecordView): BlobSignerRecord | undefined => {
    const json = records.find(path);
    return json === undefined ? undefined : decodeBlobSigner(json);
  };
  const found = recordStore.read((view) => find(view.records(INSTALLATION)));
  if (found !== undefined) return found;
  const signerId = Buffer.from(randomBytes(SIGNER_ID_BYTES)).toString('hex');
  const { publicKey, privateKey } = await generateRsaKeyPair();
  const record: BlobSignerRecord = {
    signerId,
    publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString(),
    sealedPrivateKey: secretBox.seal(
      privateKey.export({ format: 'der', type: 'pkcs8' }),
      sealContext(signerId),
    ),
  };
  return recordStore.change((transaction) => {
    const records = transaction.records(INSTALLATION);
    // The key may have been removed since the request was admitted.
    if (records.find([...keysPath(email), keyId]) === undefined) throw new AuthApiError('UNAUTHENTICATED');
    const addedSince = find(records);
    if (addedSince !== undefined) return addedSince;
    records.write(path, record);
    return record;
  });
}
