import type { KeyObject } from 'node:crypto';
import type { TokenUse } from './token-use.ts';

/** A key pair that tokens are signed with. */
export interface SigningKey {
  readonly keyId: string;
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
  /** Self-signed, in PEM. */
  readonly certificate: string;
}

/** The keys of one use that verifiers may need, soon or still. */
export interface PublishedKeys {
  published(): readonly SigningKey[];
}

/** The keys of one use, as of now. */
export interface KeyRing extends PublishedKeys {
  readonly use: TokenUse;
  /** The key that signs. */
  current(): SigningKey;
  /** The public key of an id that tokens may still name. */
  find(keyId: string): KeyObject | undefined;
}
