import { INSTALLATION, type RecordStoreView } from '../../records/store.ts';
import { randomId } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { AuthServices } from '../services.ts';
import {
  type HashParameters,
  type ImportedArgon2Parameters,
  parseHashParameters,
} from './hash-parameters.ts';
import type { DigestInput } from './imported-hashes.ts';

/** Seals a secret, so that it can be stored on disk. */
export type Seal = (secret: Uint8Array) => string;
/** Returns the secret of a sealed text. */
export type Unseal = (sealed: string) => Uint8Array;

/**
 * Encodes hash parameters for a record: members as in the request that imported them, with the signer key
 * sealed. History: this is the first format; it stores no version number.
 */
export function encodeHashParameters(
  parameters: HashParameters,
  seal: Seal,
): Readonly<Record<string, unknown>> {
  switch (parameters.kind) {
    case 'firebase-scrypt':
      return {
        hashAlgorithm: 'SCRYPT',
        signerKey: seal(parameters.signerKey),
        saltSeparator: base64(parameters.saltSeparator),
        rounds: parameters.rounds,
        memoryCost: parameters.memoryCost,
      };
    case 'standard-scrypt':
      return {
        hashAlgorithm: 'STANDARD_SCRYPT',
        saltSeparator: base64(parameters.saltSeparator),
        cpuMemCost: parameters.cpuMemCost,
        blockSize: parameters.blockSize,
        parallelization: parameters.parallelization,
      };
    case 'hmac':
      return {
        hashAlgorithm: `HMAC_${parameters.digest.toUpperCase()}`,
        signerKey: seal(parameters.signerKey),
        ...encodeDigestInput(parameters),
      };
    case 'digest':
      return {
        hashAlgorithm: parameters.digest.toUpperCase(),
        rounds: parameters.rounds,
        ...encodeDigestInput(parameters),
      };
    case 'pbkdf2':
      return {
        hashAlgorithm: parameters.digest === 'sha1' ? 'PBKDF_SHA1' : 'PBKDF2_SHA256',
        saltSeparator: base64(parameters.saltSeparator),
        rounds: parameters.rounds,
      };
    case 'bcrypt':
      return { hashAlgorithm: 'BCRYPT' };
    case 'argon2':
      return { hashAlgorithm: 'ARGON2', argon2Parameters: encodeArgon2(parameters) };
    default:
      return parameters satisfies never;
  }
}

function encodeDigestInput({ saltSeparator, order }: DigestInput): Readonly<Record<string, unknown>> {
  return {
    saltSeparator: base64(saltSeparator),
    passwordHashOrder: order === 'salt-first' ? 'SALT_AND_PASSWORD' : 'PASSWORD_AND_SALT',
  };
}

function encodeArgon2(parameters: ImportedArgon2Parameters): Readonly<Record<string, unknown>> {
  const { variant, version, cost, associatedData } = parameters;
  return {
    hashType: variant.replace('argon2', 'argon2_').toUpperCase(),
    version: version === 0x10 ? 'VERSION_10' : 'VERSION_13',
    iterations: cost.passes,
    memoryCostKib: cost.memoryKiB,
    parallelism: cost.parallelism,
    associatedData: base64(associatedData),
  };
}

/** Decodes hash parameters. Throws a `HashParametersError` if the record is damaged, or an error of `unseal`. */
export function decodeHashParameters(json: unknown, unseal: Unseal): HashParameters {
  if (typeof json !== 'object' || json === null || !('signerKey' in json)) return parseHashParameters(json);
  return parseHashParameters({ ...json, signerKey: base64(unseal(String(json.signerKey))) });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

/** The context to which a sealed signer key is bound. */
const SIGNER_KEY_CONTEXT = 'signer key of imported hashes';

/** Returns the parameters of an import, from `hashParameters/<id>` in the records of the installation. */
export function requireHashParameters(
  view: RecordStoreView,
  { secretBox }: AuthServices,
  id: string,
): HashParameters {
  const json = view.records(INSTALLATION).find(['hashParameters', id]);
  if (json === undefined) throw new Error(`Bug: the hash parameters ${id} are missing.`);
  return decodeHashParameters(json, (sealed) => secretBox.open(sealed, SIGNER_KEY_CONTEXT));
}

/** Maximum number of sets of parameters. An installation has one for each system that its accounts were imported from. */
const MAX_SETS = 200;
const ID_LENGTH = 16;

/**
 * Stores the parameters of an import and returns their id. Returns the id of an equal set if one exists, so
 * that an import in many requests uses one set. Throws `QUOTA_EXCEEDED` if there are too many sets.
 */
export async function storeHashParameters(
  services: AuthServices,
  parameters: HashParameters,
): Promise<string> {
  const found = services.recordStore.read((view) => findEqual(view, services, parameters));
  if (found !== undefined) return found;
  const { secretBox, randomBytes } = services;
  const id = randomId(ID_LENGTH, randomBytes);
  const record = encodeHashParameters(parameters, (key) => secretBox.seal(key, SIGNER_KEY_CONTEXT));
  return services.recordStore.change((transaction) => {
    const addedSince = findEqual(transaction, services, parameters);
    if (addedSince !== undefined) return addedSince;
    if (transaction.records(INSTALLATION).list(['hashParameters'], { limit: MAX_SETS }).length >= MAX_SETS)
      throw new AuthApiError(
        'QUOTA_EXCEEDED',
        `The limit of ${MAX_SETS} sets of hash parameters is reached.`,
      );
    transaction.records(INSTALLATION).write(['hashParameters', id], record);
    return id;
  });
}

function findEqual(
  view: RecordStoreView,
  { secretBox }: AuthServices,
  parameters: HashParameters,
): string | undefined {
  const wanted = comparable(parameters);
  return view
    .records(INSTALLATION)
    .list(['hashParameters'], { limit: MAX_SETS })
    .find(({ value }) => {
      const known = decodeHashParameters(value, (sealed) => secretBox.open(sealed, SIGNER_KEY_CONTEXT));
      return comparable(known) === wanted;
    })?.key;
}

function comparable(parameters: HashParameters): string {
  return JSON.stringify(encodeHashParameters(parameters, (key) => Buffer.from(key).toString('base64')));
}
