import { StartFailure } from '../ops/start-failure.ts';
import type { JsonObject } from './json-object.ts';

/** What a command line says of hashes, by the names that the official command line has too. */
export interface HashFlags {
  readonly hashAlgo: string | null;
  readonly hashKey: string | null;
  readonly saltSeparator: string | null;
  readonly rounds: number | null;
  readonly memCost: number | null;
  readonly parallelization: number | null;
  readonly blockSize: number | null;
  readonly dkLen: number | null;
  readonly hashInputOrder: string | null;
}

const ORDERS: Readonly<Record<string, string>> = {
  SALT_FIRST: 'SALT_AND_PASSWORD',
  PASSWORD_FIRST: 'PASSWORD_AND_SALT',
};

/** Hash parameters as members of the request that imports accounts; `undefined` when nothing is said. Throws a `StartFailure`. */
export function readHashFlags(flags: HashFlags): JsonObject | undefined {
  if (flags.hashAlgo === null) {
    if (Object.entries(flags).some(([name, value]) => name !== 'hashKey' && value !== null))
      throw new StartFailure('Parameters of hashes need --hash-algo.');
    return undefined;
  }
  const hashAlgorithm = flags.hashAlgo.toUpperCase();
  const members = {
    hashAlgorithm,
    signerKey: flags.hashKey,
    saltSeparator: flags.saltSeparator,
    rounds: flags.rounds,
    [hashAlgorithm === 'STANDARD_SCRYPT' ? 'cpuMemCost' : 'memoryCost']: flags.memCost,
    parallelization: flags.parallelization,
    blockSize: flags.blockSize,
    dkLen: flags.dkLen,
    passwordHashOrder: readOrder(flags.hashInputOrder),
  };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null));
}

function readOrder(text: string | null): string | null {
  if (text === null) return null;
  const order = ORDERS[text.toUpperCase()];
  if (order === undefined)
    throw new StartFailure(`--hash-input-order must be SALT_FIRST or PASSWORD_FIRST, not "${text}".`);
  return order;
}
