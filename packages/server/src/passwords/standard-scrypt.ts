import { deriveScrypt } from './derive-scrypt.ts';

/** Parameters of plain scrypt. */
export interface StandardScryptParameters {
  readonly kind: 'standard-scrypt';
  readonly saltSeparator: Uint8Array;
  /** N, a power of two. */
  readonly cpuMemCost: number;
  /** r; with N it makes MAX_STANDARD_SCRYPT_BYTES at most. */
  readonly blockSize: number;
  /** p */
  readonly parallelization: number;
}

/** Memory that verifying one password may take. */
export const MAX_STANDARD_SCRYPT_BYTES = 128 * 1024 * 1024;
export const MAX_STANDARD_SCRYPT_LANES = 16;

export function deriveStandardScrypt(
  password: Uint8Array,
  salt: Uint8Array,
  { saltSeparator, cpuMemCost, blockSize, parallelization }: StandardScryptParameters,
  lengthBytes: number,
): Promise<Uint8Array> {
  return deriveScrypt({
    password,
    salt: Buffer.concat([salt, saltSeparator]),
    cost: cpuMemCost,
    blockSize,
    parallelization,
    lengthBytes,
  });
}
