import { createHmac, timingSafeEqual } from 'node:crypto';
import type { SecretKey } from '../../platform/secret-key.ts';
import { memoizeByObject } from '../stored-record.ts';
import type { Session } from './session.ts';

/** The parsed content of a refresh token. `isGenuine` has to verify it against the session. */
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
 * Refresh tokens. A token is the base64url of the project number (6 bytes; all numbers are big-endian), the
 * session's id (16 bytes), the token's number within the session (4 bytes), and an HMAC of these and the
 * session's seed. The HMAC key is not in the record store, so the store alone is not enough to create tokens. A
 * token that was issued before can be computed again.
 */
export class RefreshTokens {
  readonly #key: SecretKey;
  /** Cached current tokens of recently read sessions, as the bytes of their text. */
  readonly #present = memoizeByObject((session: Session, projectNumber: string) =>
    this.#encode(projectNumber, session.generation, session),
  );

  constructor(key: SecretKey) {
    this.#key = key;
  }

  /** Returns the current token of a session. */
  encode(projectNumber: string, session: Session): string {
    return this.#present(session, projectNumber).toString('latin1');
  }

  /** Returns the text of a token, as bytes. */
  #encode(projectNumber: string, generation: number, { id, seed }: Session): Buffer {
    const head = encodeHead(projectNumber, id, generation);
    const mac = createHmac('sha256', this.#key).update(head).update(seed).digest();
    return Buffer.from(Buffer.concat([head, mac]).toString('base64url'), 'latin1');
  }

  /** Returns `undefined` if the text does not have the form of a refresh token. */
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

  /** Whether this server issued the token for this session of the project. */
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
