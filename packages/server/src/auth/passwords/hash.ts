import type { Argon2Cost } from './argon2.ts';
import type { HashParameters } from './hash-parameters.ts';

/** A hash that this server made: argon2id, with its cost. */
export interface NativeHash {
  readonly kind: 'native';
  readonly cost: Argon2Cost;
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

/** A password hash that another system created. */
export interface ImportedHash {
  readonly kind: 'imported';
  /** Id of the parameters, which all accounts of an import share. */
  readonly parametersId: string;
  readonly parameters: HashParameters;
  /** May be empty if the algorithm needs no salt. */
  readonly salt: Uint8Array;
  readonly hash: Uint8Array;
}

/** The stored hash of an account's password. */
export type PasswordHash = NativeHash | ImportedHash;

/**
 * Encodes a hash for a record. Shape: `algorithm`, which is `argon2id` or `imported`, its parameters or their
 * id, `salt` and `hash` in base64. History: this is the first format; it stores no version number.
 */
export function encodePasswordHash(hash: PasswordHash): Readonly<Record<string, unknown>> {
  const bytes = { salt: base64(hash.salt), hash: base64(hash.hash) };
  switch (hash.kind) {
    case 'native':
      return { algorithm: 'argon2id', ...hash.cost, ...bytes };
    case 'imported':
      return { algorithm: 'imported', parametersId: hash.parametersId, ...bytes };
    default:
      return hash satisfies never;
  }
}

/** Decodes a hash. `requireParameters` returns the parameters with an id. Throws if the record is damaged. */
export function decodePasswordHash(
  json: unknown,
  requireParameters: (id: string) => HashParameters,
): PasswordHash {
  const record: Readonly<Record<string, unknown>> = Object(json);
  const bytes = { salt: requireBytes(record['salt']), hash: requireBytes(record['hash']) };
  if (record['algorithm'] === 'argon2id') {
    const cost = {
      memoryKiB: requireInteger(record['memoryKiB']),
      passes: requireInteger(record['passes']),
      parallelism: requireInteger(record['parallelism']),
    };
    return { kind: 'native', cost, ...bytes };
  }
  const parametersId = record['parametersId'];
  if (record['algorithm'] !== 'imported' || typeof parametersId !== 'string') throw damaged();
  return { kind: 'imported', parametersId, parameters: requireParameters(parametersId), ...bytes };
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64');
}

function requireBytes(json: unknown): Uint8Array {
  if (typeof json !== 'string') throw damaged();
  return Buffer.from(json, 'base64');
}

function requireInteger(json: unknown): number {
  if (typeof json !== 'number' || !Number.isInteger(json) || json < 1) throw damaged();
  return json;
}

function damaged(): Error {
  return new Error('The stored password hash is damaged: restore it from a backup, or set a new password.');
}
