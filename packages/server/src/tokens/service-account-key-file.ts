import { generateRsaKeyPair } from './rsa-key-pair.ts';

/** The file that the official libraries take as a service account. Whoever has it, is the account. */
export interface ServiceAccountKeyFile {
  readonly type: 'service_account';
  readonly project_id: string;
  readonly private_key_id: string;
  /** PKCS #8 in PEM. */
  readonly private_key: string;
  readonly client_email: string;
  readonly client_id: string;
  readonly token_uri: string;
}

export interface KeyFileSpec {
  readonly projectId: string;
  readonly email: string;
  readonly tokenUrl: string;
  readonly randomBytes: (count: number) => Uint8Array;
}

export interface NewServiceAccountKey {
  readonly keyFile: ServiceAccountKeyFile;
  readonly keyId: string;
  /** SPKI in PEM: the only part to keep. */
  readonly publicKey: string;
}

const KEY_ID_BYTES = 20;
const CLIENT_ID_BYTES = 8;

export async function generateServiceAccountKey(spec: KeyFileSpec): Promise<NewServiceAccountKey> {
  const { projectId, email, tokenUrl, randomBytes } = spec;
  const keyId = Buffer.from(randomBytes(KEY_ID_BYTES)).toString('hex');
  const { publicKey, privateKey } = await generateRsaKeyPair();
  const keyFile: ServiceAccountKeyFile = {
    type: 'service_account',
    project_id: projectId,
    private_key_id: keyId,
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }).toString(),
    client_email: email,
    client_id: String(Buffer.from(randomBytes(CLIENT_ID_BYTES)).readBigUInt64BE()),
    token_uri: tokenUrl,
  };
  return { keyFile, keyId, publicKey: publicKey.export({ format: 'pem', type: 'spki' }).toString() };
}
