import { createHash, timingSafeEqual } from 'node:crypto';

/** Begins every token of a local administrator, and no token of another kind. */
const PREFIX = 'hearth-local-1.';
const TOKEN_BYTES = 32;

/**
 * The administrator of the whole server who may read its data directory. The token is made at each start, is written there
 * for programs on the same machine, and ends with the process.
 */
export class LocalAdmin {
  readonly token: string;
  readonly #hash: Buffer;

  constructor(randomBytes: (count: number) => Uint8Array) {
    this.token = `${PREFIX}${Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url')}`;
    this.#hash = hashOf(this.token);
  }

  isToken(token: string): boolean {
    return token.startsWith(PREFIX) && timingSafeEqual(hashOf(token), this.#hash);
  }
}

/** Of one length, as a comparison needs it that takes the same time whatever is compared. */
function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
