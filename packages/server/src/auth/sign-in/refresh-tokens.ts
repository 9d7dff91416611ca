import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SecretKey } from '../../platform/secret-key.ts';
import { memoizeByObject } from '../stored-record.ts';
import type { Session } from './session.ts';

/** The parsed content of a refresh token. `isGenuine` has to verify it against the session. */
export interface PresentedToken {
  readonly projectNumber: string;
  readonly sessionId: string;
  readonly generation: number;
  /** The account of the session; `undefined` if the token names none, or if this server did not issue the token. */
  readonly uid: string | undefined;
  readonly text: string;
}

const PROJECT_BYTES = 6;
const ID_BYTES = 16;
const GENERATION_BYTES = 4;
const HEAD_BYTES = PROJECT_BYTES + ID_BYTES + GENERATION_BYTES;
const MAC_BYTES = 32;
const TOKEN_LENGTH = Math.ceil(((HEAD_BYTES + MAC_BYTES) * 4) / 3);
const SUBJECT_MAC_BYTES = 16;
/** More than the length of every token: a user id has at most 128 characters of 3 bytes. */
const MAX_LENGTH = 700;

/**
 * Refresh tokens. A token is the base64url of the project number (6 bytes; all numbers are big-endian), the
 * session's id (16 bytes), the token's number within the session (4 bytes), and an HMAC of these and the
 * session's seed. The HMAC key is not in the record store, so the store alone is not enough to create tokens. The
 * server can compute an earlier token again.
 *
 * The base64url of the account follows: an HMAC of project, session and user id (16 bytes), and the user id. The server
 * needs it after the session has ended, to state the reason in the response. Tokens of earlier releases lack it.
 */
export class RefreshTokens {
  readonly #key: SecretKey;
  readonly #subjectKey: SecretKey;
  /** Cached current tokens of recently read sessions, as the bytes of their text. */
  readonly #current = memoizeByObject((session: Session, projectNumber: string) =>
    this.#encode(projectNumber, session.generation, session),
  );

  constructor(key: SecretKey) {
    this.#key = key;
    this.#subjectKey = deriveKey(key, 'subjects of refresh tokens');
  }

  /** Returns the current token of a session. */
  encode(projectNumber: string, session: Session): string {
    return this.#current(session, projectNumber).toString('latin1');
  }

  /** Returns the text of a token, as bytes. */
  #encode(projectNumber: string, generation: number, { id, seed, uid }: Session): Buffer {
    const head = encodeHead(projectNumber, id, generation);
    const mac = createHmac('sha256', this.#key).update(head).update(seed).digest();
    const subject = Buffer.concat([this.#subjectMac(projectNumber, id, uid), Buffer.from(uid)]);
    const text = `${Buffer.concat([head, mac]).toString('base64url')}${subject.toString('base64url')}`;
    return Buffer.from(text, 'latin1');
  }

  #subjectMac(projectNumber: string, id: string, uid: string): Buffer {
    const head = encodeHead(projectNumber, id, 0);
    return createHmac('sha256', this.#subjectKey)
      .update(head)
      .update(uid)
      .digest()
      .subarray(0, SUBJECT_MAC_BYTES);
  }

  /** Returns `undefined` if the text does not have the form of a refresh token. */
  parse(text: string): PresentedToken | undefined {
    if (text.length < TOKEN_LENGTH || text.length > MAX_LENGTH || !/^[\w-]+$/.test(text)) return undefined;
    const bytes = Buffer.from(text.slice(0, TOKEN_LENGTH), 'base64url');
    const projectNumber = String(bytes.readUIntBE(0, PROJECT_BYTES));
    const sessionId = bytes.toString('base64url', PROJECT_BYTES, PROJECT_BYTES + ID_BYTES);
    return {
      projectNumber,
      sessionId,
      generation: bytes.readUInt32BE(PROJECT_BYTES + ID_BYTES),
      uid: this.#findSubject(projectNumber, sessionId, Buffer.from(text.slice(TOKEN_LENGTH), 'base64url')),
      text,
    };
  }

  #findSubject(projectNumber: string, sessionId: string, subject: Buffer): string | undefined {
    if (subject.length <= SUBJECT_MAC_BYTES) return undefined;
    const uid = subject.toString('utf8', SUBJECT_MAC_BYTES);
    const mac = subject.subarray(0, SUBJECT_MAC_BYTES);
    return timingSafeEqual(mac, this.#subjectMac(projectNumber, sessionId, uid)) ? uid : undefined;
  }

  /** Returns whether this server issued the token for this session of the project. */
  isGenuine({ generation, text }: PresentedToken, projectNumber: string, session: Session): boolean {
    const genuine =
      generation === session.generation
        ? this.#current(session, projectNumber)
        : this.#encode(projectNumber, generation, session);
    const presented = Buffer.from(text.slice(0, TOKEN_LENGTH), 'latin1');
    return timingSafeEqual(presented, genuine.subarray(0, TOKEN_LENGTH));
  }
}

function encodeHead(projectNumber: string, id: string, generation: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(Number(projectNumber), 0, PROJECT_BYTES);
  head.write(id, PROJECT_BYTES, 'base64url');
  head.writeUInt32BE(generation, PROJECT_BYTES + ID_BYTES);
  return head;
}
