import type { JsonObject } from '../../api/account-files.ts';

/** A parameter of a hash algorithm, named as in the Auth API. */
export interface HashField {
  readonly name:
    | 'signerKey'
    | 'saltSeparator'
    | 'rounds'
    | 'memoryCost'
    | 'cpuMemCost'
    | 'parallelization'
    | 'blockSize'
    | 'dkLen';
  /** Bytes in base64, or an integer. */
  readonly kind: 'bytes' | 'number';
  readonly initial: string;
}

const KEY: HashField = { name: 'signerKey', kind: 'bytes', initial: '' };
const SEPARATOR: HashField = { name: 'saltSeparator', kind: 'bytes', initial: '' };
const rounds = (initial: string): HashField => ({ name: 'rounds', kind: 'number', initial });

/** Password hash algorithms that an import supports, with their parameters. The first one is the algorithm of Firebase. */
export const HASH_ALGORITHMS: Readonly<Record<string, readonly HashField[]>> = {
  SCRYPT: [
    KEY,
    { ...SEPARATOR, initial: 'Bw==' },
    rounds('8'),
    { name: 'memoryCost', kind: 'number', initial: '14' },
  ],
  BCRYPT: [],
  STANDARD_SCRYPT: [
    { name: 'cpuMemCost', kind: 'number', initial: '16384' },
    { name: 'blockSize', kind: 'number', initial: '8' },
    { name: 'parallelization', kind: 'number', initial: '1' },
    { name: 'dkLen', kind: 'number', initial: '64' },
    SEPARATOR,
  ],
  PBKDF2_SHA256: [rounds('100000'), SEPARATOR],
  PBKDF_SHA1: [rounds('1000'), SEPARATOR],
  HMAC_SHA512: [KEY, SEPARATOR],
  HMAC_SHA256: [KEY, SEPARATOR],
  HMAC_SHA1: [KEY, SEPARATOR],
  HMAC_MD5: [KEY, SEPARATOR],
  SHA512: [rounds('1'), SEPARATOR],
  SHA256: [rounds('1'), SEPARATOR],
  SHA1: [rounds('1'), SEPARATOR],
  MD5: [rounds('0'), SEPARATOR],
};

/** The hash algorithm that the member chose, and its parameters. */
export interface HashChoice {
  readonly algorithm: string;
  /** The texts of the fields that the member changed, by name. The others have their initial value. */
  readonly values: Readonly<Record<string, string>>;
}

export const INITIAL_HASH: HashChoice = { algorithm: 'SCRYPT', values: {} };

/** Returns the members of an import request that describe the hash algorithm. */
export function encodeHash({ algorithm, values }: HashChoice): JsonObject {
  const fields = HASH_ALGORITHMS[algorithm] ?? [];
  const members = fields.map(({ name, kind, initial }) => {
    const text = (values[name] ?? initial).trim();
    return [name, kind === 'number' ? Number(text) : text] as const;
  });
  return { hashAlgorithm: algorithm, ...Object.fromEntries(members) };
}
