import { createPrivateKey } from 'node:crypto';
import type { Clock } from '../../platform/clock.ts';
import type { SecretBox } from '../../platform/secret-box.ts';
import {
  INSTALLATION,
  type RecordStore,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import { requireNotDeleted } from '../tenants/deleted-tenants.ts';
import { type AccountScope, nameOfScope } from '../tenants/scope.ts';
import { selfSignedCertificate } from '../tokens/certificate.ts';
import { generateRsaKeyPair } from '../tokens/signing-keys.ts';
import type { RotationStep } from './rotation-steps.ts';

/** A key with its certificate. */
interface CertifiedKey {
  /** Self-signed, in PEM. */
  readonly certificate: string;
  readonly sealedPrivateKey: string;
}

/** The key with which a project or a tenant signs its requests to SAML providers. */
export interface ServiceKey extends CertifiedKey {
  /** The key that replaces this one when the providers know its certificate; absent for none. */
  readonly next?: CertifiedKey;
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
  const { next } = json;
  return { ...decodeKey(json), ...(isJsonObject(next) ? { next: decodeKey(next) } : {}) };
}

function decodeKey({ certificate, sealedPrivateKey }: JsonObject): CertifiedKey {
  if (typeof certificate !== 'string' || typeof sealedPrivateKey !== 'string')
    throw new Error('Bug: a stored key for SAML is not complete.');
  return { certificate, sealedPrivateKey };
}

/** Returns the certificates that providers accept: that of the key in use, and that of the next one. */
export function certificatesOf(key: ServiceKey | undefined): readonly string[] {
  return [key, key?.next].flatMap((one) => (one === undefined ? [] : [one.certificate]));
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
  const { recordStore } = services;
  const known = recordStore.read((view) => findServiceKey(view.records(INSTALLATION), scope));
  if (known !== undefined) return known;
  const key = await createKey(services, scope);
  return recordStore.change((transaction) => {
    requireNotDeleted(transaction, scope);
    const records = transaction.records(INSTALLATION);
    // Another request may have created the key in the meantime.
    const first = findServiceKey(records, scope);
    if (first === undefined) records.write(pathOf(scope), key);
    return first ?? key;
  });
}

async function createKey(
  { secretBox, clock, randomBytes }: ServiceKeyServices,
  scope: AccountScope,
): Promise<CertifiedKey> {
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
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  return { certificate, sealedPrivateKey: secretBox.seal(der, contextOf(scope)) };
}

/**
 * Creates the next key of a project or a tenant (`PREPARE`), uses it from now on (`FINISH`), or removes it (`CANCEL`).
 * `PREPARE` again keeps the next key. Returns the keys; `undefined` if there is no key, or no next one to use or remove.
 */
export async function rotateKey(
  services: ServiceKeyServices,
  scope: AccountScope,
  step: RotationStep,
): Promise<ServiceKey | undefined> {
  const created = step === 'PREPARE' ? await createKey(services, scope) : undefined;
  return services.recordStore.change((transaction) => {
    requireNotDeleted(transaction, scope);
    const records = transaction.records(INSTALLATION);
    const before = findServiceKey(records, scope);
    if (before === undefined) return undefined;
    const { next = created, ...current } = before;
    if (next === undefined) return undefined;
    const after = step === 'PREPARE' ? { ...current, next } : step === 'FINISH' ? next : current;
    records.write(pathOf(scope), after);
    return after;
  });
}

/** Returns the private key in PEM. */
export function openServicePrivateKey(
  { secretBox }: Pick<ServiceKeyServices, 'secretBox'>,
  scope: AccountScope,
  { sealedPrivateKey }: CertifiedKey,
): string {
  const der = secretBox.open(sealedPrivateKey, contextOf(scope));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
    .export({ format: 'pem', type: 'pkcs8' })
    .toString();
}
