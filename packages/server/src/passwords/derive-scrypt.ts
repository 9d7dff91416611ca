import { scrypt } from 'node:crypto';

interface ScryptInput {
  readonly password: Uint8Array;
  readonly salt: Uint8Array;
  /** N, a power of two. */
  readonly cost: number;
  /** r */
  readonly blockSize: number;
  /** p */
  readonly parallelization: number;
  readonly lengthBytes: number;
}

/** Memory that scrypt needs: 128 r bytes for each of N blocks, of p lanes, and of two in work. */
function neededBytes({ cost, blockSize, parallelization }: ScryptInput): number {
  return 128 * blockSize * (cost + parallelization + 2);
}

/** scrypt, computed in Node's thread pool. */
export function deriveScrypt(input: ScryptInput): Promise<Uint8Array> {
  const { cost, blockSize, parallelization, lengthBytes } = input;
  const options = { cost, blockSize, parallelization, maxmem: neededBytes(input) + 1 };
  return new Promise((resolve, reject) => {
    scrypt(input.password, input.salt, lengthBytes, options, (error, key) => {
      if (error === null) resolve(key);
      else reject(error);
    });
  });
}
