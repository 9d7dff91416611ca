import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { type HashParameterSets, readHashParametersFile } from '../../auth/accounts/account-file.ts';
import type { JsonObject } from '../../auth/fields.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { hashParametersFile } from './accounts-client.ts';
import { HASH_OPTIONS } from './options.ts';

/** The command-line flags about hashes, named as in the official command-line tool. */
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

/**
 * Returns the hash parameters as members of the request that imports accounts; `undefined` if no flag is
 * given. Throws a `StartFailure` if the flags are invalid.
 */
export function readHashFlags(flags: HashFlags): JsonObject | undefined {
  if (flags.hashAlgo === null) {
    if (Object.entries(flags).some(([name, value]) => name !== 'hashKey' && value !== null))
      throw new StartFailure('Hash parameters require --hash-algo.');
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

type Flags = FlagsOf<typeof HASH_OPTIONS>;

/** Returns the hash parameters that the flags of a command describe. See `readHashFlags`. */
export function readHashParameters(flags: Flags): ReturnType<typeof readHashFlags> {
  return readHashFlags({
    hashAlgo: readOption(HASH_OPTIONS.hashAlgo, flags.hashAlgo),
    hashKey: readOption(HASH_OPTIONS.hashKey, flags.hashKey),
    saltSeparator: readOption(HASH_OPTIONS.saltSeparator, flags.saltSeparator),
    rounds: readOption(HASH_OPTIONS.rounds, flags.rounds),
    memCost: readOption(HASH_OPTIONS.memCost, flags.memCost),
    parallelization: readOption(HASH_OPTIONS.parallelization, flags.parallelization),
    blockSize: readOption(HASH_OPTIONS.blockSize, flags.blockSize),
    dkLen: readOption(HASH_OPTIONS.dkLen, flags.dkLen),
    hashInputOrder: readOption(HASH_OPTIONS.hashInputOrder, flags.hashInputOrder),
  });
}

/** Returns the sets of hash parameters in the file that belongs to an account file. */
export function readHashParameterSets(flags: Flags, path: string): HashParameterSets {
  const named = readOption(HASH_OPTIONS.hashParameters, flags.hashParameters);
  if (named !== null) return readHashParametersFile(resolve(named));
  const belonging = hashParametersFile(path);
  return existsSync(belonging) ? readHashParametersFile(belonging) : {};
}
