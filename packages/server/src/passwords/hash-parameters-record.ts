import type { DigestInput } from './digest-input.ts';
import type { HashParameters, ImportedArgon2Parameters } from './hash-parameters.ts';
import { parseHashParameters } from './parse-hash-parameters.ts';

/** Makes a secret into text that is safe on disk. */
export type Seal = (secret: Uint8Array) => string;
/** The secret in such a text. */
export type Unseal = (sealed: string) => Uint8Array;

/**
 * The stored form of hash parameters: members as in the request that imported them, with the signer key sealed.
 * History: 1, no version in it.
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

/** Throws what `unseal` throws, or a HashParametersError when the record is damaged. */
export function decodeHashParameters(json: unknown, unseal: Unseal): HashParameters {
  if (typeof json !== 'object' || json === null || !('signerKey' in json)) return parseHashParameters(json);
  return parseHashParameters({ ...json, signerKey: base64(unseal(String(json.signerKey))) });
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}
