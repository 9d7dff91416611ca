import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../secrets/secret-key.ts';
import { onceForEach } from './once-for-each.ts';
import type { Session } from './session.ts';

/** Which token of which session a refresh token is; whether it is genuine, the session tells. */
export interface PresentedToken {
  readonly projectNumber: string;
  readonly sessionId: string;
  readonly generation: number;
  readonly text: string;
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
  /** The present token of a session that was read lately, as bytes of its text. */
  readonly #present = onceForEach((session: Session, projectNumber: string) =>
    this.#encode(projectNumber, session.generation, session),
  );

  constructor(key: SecretKey) {
    this.#key = key;
  }

  /** The present token of a session. */
  encode(projectNumber: string, session: Session): string {
    return this.#present(session, projectNumber).toString('latin1');
  }

  /** The text of a token, as bytes. */
  #encode(projectNumber: string, generation: number, { id, seed }: Session): Buffer {
    const head = encodeHead(projectNumber, id, generation);
    const mac = createHmac('sha256', this.#key).update(head).update(seed).digest();
    return Buffer.from(Buffer.concat([head, mac]).toString('base64url'), 'latin1');
  }

  /** `undefined` for what can be no refresh token. */
  parse(text: string): PresentedToken | undefined {
    if (text.length !== TOKEN_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
    const bytes = Buffer.from(text, 'base64url');
    return {
      projectNumber: String(bytes.readUIntBE(0, PROJECT_BYTES)),
      sessionId: bytes.toString('base64url', PROJECT_BYTES, PROJECT_BYTES + ID_BYTES),
      generation: bytes.readUInt32BE(PROJECT_BYTES + ID_BYTES),
      text,
    };
  }

  /** Was the token handed out by this server for this session of the project? */
  isGenuine({ generation, text }: PresentedToken, projectNumber: string, session: Session): boolean {
    const genuine =
      generation === session.generation
        ? this.#present(session, projectNumber)
        : this.#encode(projectNumber, generation, session);
    return timingSafeEqual(Buffer.from(text, 'latin1'), genuine);
  }
}

function encodeHead(projectNumber: string, id: string, generation: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(Number(projectNumber), 0, PROJECT_BYTES);
  head.write(id, PROJECT_BYTES, 'base64url');
  head.writeUInt32BE(generation, PROJECT_BYTES + ID_BYTES);
  return head;
}
