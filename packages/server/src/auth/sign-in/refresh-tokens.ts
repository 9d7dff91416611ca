import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveKey, type SecretKey } from '../../platform/secret-key.ts';
import type { Project } from '../projects/project.ts';
import { memoizeByObject } from '../stored-record.ts';
import { parseTenantId, type TenantId } from '../tenants/scope.ts';
import type { Session } from './session.ts';

/** The parsed content of a refresh token. `isGenuine` has to verify it against the session. */
export interface PresentedToken {
  readonly projectNumber: string;
  /** The tenant that the token names; `null` for none. */
  readonly tenantId: TenantId | null;
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
/** More characters than a token has without its tenant: a user id has at most 128 characters of 3 bytes. */
const MAX_LENGTH = 700;
/** Separates the id of the tenant from the rest. */
const TENANT_SEPARATOR = '.';

/**
 * Refresh tokens. A token is the base64url of the project number (6 bytes; all numbers are big-endian), the
 * session's id (16 bytes), the token's number within the session (4 bytes), and an HMAC of these and the
 * session's seed. The HMAC key is not in the record store, so the store alone is not enough to create tokens. The
 * server can compute an earlier token again.
 *
 * The base64url of the account follows: an HMAC of project, session and user id (16 bytes), and the user id. The server
 * needs it after the session has ended, to state the reason in the response. Tokens of earlier releases lack it.
 *
 * For an account of a tenant, a full stop and the id of the tenant follow. Both HMACs contain it.
 */
export class RefreshTokens {
  readonly #key: SecretKey;
  readonly #subjectKey: SecretKey;
  /** Cached current tokens of recently read sessions, as the bytes of their text. */
  readonly #current = memoizeByObject((session: Session, owner: Owner) =>
    this.#encode(owner, session.generation, session),
  );

  constructor(key: SecretKey) {
    this.#key = key;
    this.#subjectKey = deriveKey(key, 'subjects of refresh tokens');
  }

  /** Returns the current token of a session. */
  encode({ number, scope }: Pick<Project, 'number' | 'scope'>, session: Session): string {
    return this.#current(session, { number, tenantId: scope.tenantId }).toString('latin1');
  }

  /** Returns the text of a token, as bytes. */
  #encode(owner: Owner, generation: number, { id, seed, uid }: Session): Buffer {
    const head = encodeHead(owner.number, id, generation);
    const suffix = suffixOf(owner);
    const mac = createHmac('sha256', this.#key).update(head).update(seed).update(suffix).digest();
    const subject = Buffer.concat([this.#subjectMac(owner, id, uid), Buffer.from(uid)]);
    const text = `${Buffer.concat([head, mac]).toString('base64url')}${subject.toString('base64url')}${suffix}`;
    return Buffer.from(text, 'latin1');
  }

  #subjectMac(owner: Owner, id: string, uid: string): Buffer {
    const head = encodeHead(owner.number, id, 0);
    return createHmac('sha256', this.#subjectKey)
      .update(head)
      .update(suffixOf(owner))
      .update(uid)
      .digest()
      .subarray(0, SUBJECT_MAC_BYTES);
  }

  /** Returns `undefined` if the text does not have the form of a refresh token. */
  parse(text: string): PresentedToken | undefined {
    const separator = text.indexOf(TENANT_SEPARATOR);
    const end = separator === -1 ? text.length : separator;
    if (end < TOKEN_LENGTH || end > MAX_LENGTH) return undefined;
    const body = text.slice(0, end);
    if (!/^[\w-]+$/.test(body)) return undefined;
    const tenantId = end === text.length ? null : parseTenantId(text.slice(end + 1));
    if (tenantId === undefined) return undefined;
    const bytes = Buffer.from(body.slice(0, TOKEN_LENGTH), 'base64url');
    const projectNumber = String(bytes.readUIntBE(0, PROJECT_BYTES));
    const sessionId = bytes.toString('base64url', PROJECT_BYTES, PROJECT_BYTES + ID_BYTES);
    return {
      projectNumber,
      tenantId,
      sessionId,
      generation: bytes.readUInt32BE(PROJECT_BYTES + ID_BYTES),
      uid: this.#findSubject(
        { number: projectNumber, tenantId },
        sessionId,
        Buffer.from(body.slice(TOKEN_LENGTH), 'base64url'),
      ),
      text,
    };
  }

  #findSubject(owner: Owner, sessionId: string, subject: Buffer): string | undefined {
    if (subject.length <= SUBJECT_MAC_BYTES) return undefined;
    const uid = subject.toString('utf8', SUBJECT_MAC_BYTES);
    const mac = subject.subarray(0, SUBJECT_MAC_BYTES);
    return timingSafeEqual(mac, this.#subjectMac(owner, sessionId, uid)) ? uid : undefined;
  }

  /** Returns whether this server issued the token for this session of the project or of its tenant. */
  isGenuine(
    { generation, text }: PresentedToken,
    { number, scope }: Pick<Project, 'number' | 'scope'>,
    session: Session,
  ): boolean {
    const owner = { number, tenantId: scope.tenantId };
    const genuine =
      generation === session.generation
        ? this.#current(session, owner)
        : this.#encode(owner, generation, session);
    const presented = Buffer.from(text.slice(0, TOKEN_LENGTH), 'latin1');
    return timingSafeEqual(presented, genuine.subarray(0, TOKEN_LENGTH));
  }
}

/** The project and the tenant of an account. */
interface Owner {
  /** The number of the project. */
  readonly number: string;
  readonly tenantId: TenantId | null;
}

/** Returns the end of a token, which is empty for an account without a tenant. */
function suffixOf({ tenantId }: Owner): string {
  return tenantId === null ? '' : `${TENANT_SEPARATOR}${tenantId}`;
}

function encodeHead(projectNumber: string, id: string, generation: number): Buffer {
  const head = Buffer.alloc(HEAD_BYTES);
  head.writeUIntBE(Number(projectNumber), 0, PROJECT_BYTES);
  head.write(id, PROJECT_BYTES, 'base64url');
  head.writeUInt32BE(generation, PROJECT_BYTES + ID_BYTES);
  return head;
}
