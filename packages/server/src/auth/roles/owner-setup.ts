import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestSource } from '../../http/request-source.ts';
import { type Books, type BookTurn, type BookView, INSTALLATION } from '../../records/store.ts';
import { emptyAccount } from '../accounts/account.ts';
import { accountsBook, saveAccount } from '../accounts/account-store.ts';
import { newUid, parseEmail } from '../accounts/field-parsers.ts';
import { IdentityError } from '../errors.ts';
import { type Fields, isJsonObject } from '../fields.ts';
import { mustBeAcceptable } from '../passwords/check-password.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { prepareProject, saveNewProject } from '../projects/projects.ts';
import type { IdentityServices } from '../services.ts';
import { hasMembers, saveMember } from './member-store.ts';

const PLACE = ['ownerLink'];

const TOKEN_BYTES = 32;
const LIFETIME_MS = 24 * 3_600_000;

/**
 * Returns a token for a link that creates the first owner, or `undefined` if there is already a member.
 * Replaces the previous token. Only a hash of the token is stored.
 */
export async function issueOwnerLink(
  books: Books,
  randomBytes: (count: number) => Uint8Array,
): Promise<string | undefined> {
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return books.change((turn) => {
    const book = turn.book(INSTALLATION);
    if (hasMembers(book)) return undefined;
    const expiresAtMs = turn.nowMs + LIFETIME_MS;
    book.write(PLACE, { tokenHash: hashOf(token).toString('hex'), expiresAtMs });
    return token;
  });
}

/**
 * Whether the token belongs to a link that is still valid. No link is valid once there is a member, even a
 * member that was created without a link.
 */
export function isOwnerToken(book: BookView, token: string, nowMs: number): boolean {
  if (hasMembers(book)) return false;
  const json = book.find(PLACE);
  if (!isJsonObject(json)) return false;
  const { tokenHash, expiresAtMs } = json;
  if (typeof tokenHash !== 'string' || typeof expiresAtMs !== 'number') return false;
  return timingSafeEqual(hashOf(token), Buffer.from(tokenHash, 'hex')) && nowMs < expiresAtMs;
}

/** Makes the link invalid. */
export function useOwnerLink(book: BookTurn): void {
  book.write(PLACE, null);
}

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/** The result of using the link that creates the first owner. */
export interface FirstOwner {
  readonly projectId: string;
  readonly uid: string;
  readonly email: string;
  /** The API key of the project if the project was created; `null` if it already existed. */
  readonly apiKey: string | null;
}

/**
 * Creates an account that owns a project for a client that has the owner link. Creates the project too if it
 * does not exist. Fields: `token`, `project`, `email`, `password`. Throws `IdentityError`; the link then
 * remains valid.
 */
export async function createFirstOwner(
  services: Pick<IdentityServices, 'audit' | 'books' | 'clock' | 'passwords' | 'projects' | 'randomBytes'>,
  settings: ProjectSettings,
  fields: Fields,
  source: RequestSource,
): Promise<FirstOwner> {
  const { books, clock, passwords, projects, randomBytes } = services;
  const token = fields.filled('token') ?? '';
  // Check the token before hashing the password, so that only holders of the link can cause this cost.
  books.read((view) => {
    if (!isOwnerToken(view.book(INSTALLATION), token, clock.nowMs())) throw brokenLink();
  });
  const made = prepareProject(fields.filled('project') ?? '', settings, randomBytes);
  const { id } = made.project;
  const email = parseEmail(fields.mustHave('email', 'MISSING_EMAIL'));
  const password = fields.mustHave('password', 'MISSING_PASSWORD');
  mustBeAcceptable(password, projects.find(id) ?? made.project, email);
  const hash = await passwords.hashEncoded(password);
  const uid = newUid(randomBytes);
  const owner = await books.change((turn): FirstOwner => {
    const book = turn.book(INSTALLATION);
    if (!isOwnerToken(book, token, turn.nowMs)) throw brokenLink();
    const isNew = book.find(['projects', id]) === undefined;
    saveAccount(turn.book(accountsBook(id)), undefined, {
      ...emptyAccount(uid, turn.nowMs),
      email,
      // Only a person with access to the machine has the link, so the address needs no further verification.
      isEmailVerified: true,
      password: hash,
      passwordUpdatedAtMs: turn.nowMs,
    });
    if (isNew) saveNewProject(book, made, turn.nowMs);
    saveMember(book, id, { uid, role: 'owner', addedAtMs: turn.nowMs });
    useOwnerLink(book);
    return { projectId: id, uid, email, apiKey: isNew ? made.apiKey : null };
  });
  const about = { projectId: id, uid, actor: 'owner-link', ...source, result: 'ok' };
  if (owner.apiKey !== null) services.audit.tell({ ...about, event: 'project_created', detail: null });
  services.audit.tell({ ...about, event: 'member_changed', detail: 'owner' });
  return owner;
}

function brokenLink(): IdentityError {
  return new IdentityError(
    'INVALID_OOB_CODE',
    'The link does not work, or works no more: start the server again for another.',
  );
}
