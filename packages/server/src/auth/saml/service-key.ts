import { createPrivateKey } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import {
  INSTALLATION,
  type RecordStore,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { isJsonObject } from '../fields.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import { selfSignedCertificate } from '../tokens/certificate.ts';
import { generateRsaKeyPair } from '../tokens/signing-keys.ts';

/** The key with which a project or a tenant signs its requests to SAML providers. */
export interface ServiceKey {
  /** Self-signed, in PEM. */
  readonly certificate: string;
  readonly sealedPrivateKey: string;
}

const SERIAL_NUMBER_BYTES = 16;
/** Ten years, in ms: administrators of identity providers install the certificate by hand. */
const CERTIFICATE_MS = 315_360_000_000;
/** How long before its creation the validity of a certificate begins, for verifiers whose clocks are slow. */
const EARLY_MS = 86_400_000;

/** Returns the location of a key in the records of the installation: `samlKeys/<scope>`. */
function pathOf(scope: AccountScope): readonly string[] {
  return ['samlKeys', nameOfScope(scope)];
}

function contextOf(scope: AccountScope): string {
  return `saml-key/${nameOfScope(scope)}`;
}

export function findServiceKey(records: RecordView, scope: AccountScope): ServiceKey | undefined {
  const json = records.find(pathOf(scope));
  if (!isJsonObject(json)) return undefined;
  const { certificate, sealedPrivateKey } = json;
  if (typeof certificate !== 'string' || typeof sealedPrivateKey !== 'string')
    throw new Error('Bug: a stored key for SAML is not complete.');
  return { certificate, sealedPrivateKey };
}

export function removeServiceKey(records: RecordTransaction, scope: AccountScope): void {
  if (records.find(pathOf(scope)) !== undefined) records.write(pathOf(scope), null);
}

interface ServiceKeyServices {
  readonly recordStore: RecordStore;
  readonly secretBox: SecretBox;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly randomBytes: (count: number) => Uint8Array;
}

/**
 * Returns the key of a project or a tenant. Creates it if there is none. Throws `INVALID_TENANT_ID` if the tenant is
 * deleted in the meantime.
 */
export async function openServiceKey(services: ServiceKeyServices, scope: AccountScope): Promise<ServiceKey> {
  const { recordStore, secretBox, clock, randomBytes } = services;
  const known = recordStore.read((view) => findServiceKey(view.records(INSTALLATION), scope));
  if (known !== undefined) return known;
  const { privateKey, publicKey } = await generateRsaKeyPair();
  const nowMs = clock.nowMs();
  const certificate = await selfSignedCertificate({
    name: 'hearth saml',
    serialNumber: randomBytes(SERIAL_NUMBER_BYTES),
    privateKey,
    publicKey,
    notBeforeMs: nowMs - EARLY_MS,
    notAfterMs: nowMs + CERTIFICATE_MS,
  });
  const sealedPrivateKey = secretBox.seal(
    privateKey.export({ format: 'der', type: 'pkcs8' }),
    contextOf(scope),
  );
  return recordStore.change((transaction) => {
    requireNotDeleted(transaction, scope);
    const records = transaction.records(INSTALLATION);
    // Another request may have created the key in the meantime.
    const first = findServiceKey(records, scope);
    if (first === undefined) records.write(pathOf(scope), { certificate, sealedPrivateKey });
    return first ?? { certificate, sealedPrivateKey };
  });
}

/** Returns the private key in PEM. */
export function openServicePrivateKey(
  { secretBox }: Pick<ServiceKeyServices, 'secretBox'>,
  scope: AccountScope,
  { sealedPrivateKey }: ServiceKey,
): string {
  const der = secretBox.open(sealedPrivateKey, contextOf(scope));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}
