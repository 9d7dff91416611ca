import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../secrets/secret-key.ts';
import type { Session } from './session.ts';

/** Which token of which session a refresh token is; whether it is genuine, the session tells. */
export interface PresentedToken {
  readonly projectNumber: string;
  readonly sessionId: string;
  readonly generation: number;
  readonly mac: Buffer;
}

const PROJECT_BYTES = 6;
const ID_BYTES = 16;
const GENERATION_BYTES = 4;
const HEAD_BYTES = PROJECT_BYTES + ID_BYTES + GENERATION_BYTES;
const MAC_BYTES = 32;
const TOKEN_LENGTH = Math.ceil(((HEAD_BYTES + MAC_BYTES) * 4) / 3);

/**
 * Refresh tokens: base64url of the number of the project (6 bytes, big-endian as all numbers), the session's id (16 bytes),
 * which token of the session it is (4 bytes), and an HMAC of both by a key that the server keeps out of its store. So the store alone makes no tokens, and a token that was
 * handed out before can be made again.
 */
export class RefreshTokens {
  readonly #key: SecretKey;

  constructor(key: SecretKey) {
    this.#key = key;
  }

  /** The present token of a session. */
  encode(projectNumber: string, session: Session): string {
    const head = encodeHead({ projectNumber, sessionId: session.id, generation: session.generation });
    return Buffer.concat([head, this.#mac(head, session)]).toString('base64url');
  }

  /** `undefined` for what can be no refresh token. */
  parse(text: string): PresentedToken | undefined {
    if (text.length !== TOKEN_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    return {
      projectNumber: String(bytes.readUIntBE(0, PROJECT_BYTES)),
      sessionId: bytes.toString('base64url', PROJECT_BYTES, PROJECT_BYTES + ID_BYTES),
      generation: bytes.readUInt32BE(PROJECT_BYTES + ID_BYTES),
      mac: bytes.subarray(HEAD_BYTES),
    };
  }

  /** Was the token handed out by this server for this session? */
  isGenuine(token: PresentedToken, session: Session): boolean {
    return timingSafeEqual(token.mac, this.#mac(encodeHead(token), session));
  }

  #mac(head: Buffer, { seed }: Session): Buffer {
    return createHmac('sha256', this.#key).update(head).update(seed).digest();
  }
}

function encodeHead(token: Omit<PresentedToken, 'mac'>): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(Number(token.projectNumber), 0, PROJECT_BYTES);
  head.write(token.sessionId, PROJECT_BYTES, 'base64url');
  head.writeUInt32BE(token.generation, PROJECT_BYTES + ID_BYTES);
  return head;
}
