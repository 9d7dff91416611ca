import { createHash, timingSafeEqual } from 'node:crypto';
import type { RequestSource } from '../../http/request-source.ts';
import { MANY_CLIENTS } from '../../platform/resource-pool.ts';
import {
  INSTALLATION,
  type RecordStore,
  type RecordTransaction,
  type RecordView,
} from '../../records/store.ts';
import { emptyAccount } from '../accounts/account.ts';
import { accountRecords, saveAccount } from '../accounts/account-store.ts';
import { newUid, parseEmail } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import { type Fields, isJsonObject } from '../fields.ts';
import { requireAcceptable } from '../passwords/check-password.ts';
import type { ProjectSettings } from '../projects/project.ts';
import { prepareProject, saveNewProject } from '../projects/projects.ts';
import type { AuthServices } from '../services.ts';
import { projectScope } from '../tenants/scope.ts';
import { hasMembers, saveMember } from './member-store.ts';

const PATH = ['ownerLink'];

const TOKEN_BYTES = 32;
const LIFETIME_MS = 24 * 3_600_000;

/**
 * Returns a token for a link that creates the first owner, or `undefined` if there is already a member.
 * Replaces the previous token. Only a hash of the token is stored.
 */
export async function issueOwnerLink(
  recordStore: RecordStore,
  randomBytes: (count: number) => Uint8Array,
): Promise<string | undefined> {
  const token = Buffer.from(randomBytes(TOKEN_BYTES)).toString('base64url');
  return recordStore.change((transaction) => {
    const records = transaction.records(INSTALLATION);
    if (hasMembers(records)) return undefined;
    const expiresAtMs = transaction.nowMs + LIFETIME_MS;
    records.write(PATH, { tokenHash: hashOf(token).toString('hex'), expiresAtMs });
    return token;
  });
}

/**
 * Returns whether the token belongs to a link that is still valid. No link is valid once there is a member, even a
 * member that was created without a link.
 */
export function isOwnerToken(records: RecordView, token: string, nowMs: number): boolean {
  if (hasMembers(records)) return false;
  const json = records.find(PATH);
  if (!isJsonObject(json)) return false;
  const { tokenHash, expiresAtMs } = json;
  if (typeof tokenHash !== 'string' || typeof expiresAtMs !== 'number') return false;
  return timingSafeEqual(hashOf(token), Buffer.from(tokenHash, 'hex')) && nowMs < expiresAtMs;
}

/** Makes the link invalid. */
export function useOwnerLink(records: RecordTransaction): void {
  records.write(PATH, null);
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
 * Creates an account and makes it an owner of a project, for a client that has the owner link. Also creates the project
 * if it does not exist. Fields: `token`, `project`, `email`, `password`. Throws `AuthApiError`; the link then remains
 * valid.
 */
export async function createFirstOwner(
  services: Pick<AuthServices, 'audit' | 'recordStore' | 'clock' | 'passwords' | 'projects' | 'randomBytes'>,
  settings: ProjectSettings,
  fields: Fields,
  source: RequestSource,
): Promise<FirstOwner> {
  const { recordStore, clock, passwords, projects, randomBytes } = services;
  const token = fields.filled('token') ?? '';
  // Check the token before hashing the password, so that only holders of the link can cause this cost.
  recordStore.read((view) => {
    if (!isOwnerToken(view.records(INSTALLATION), token, clock.nowMs())) throw brokenLink();
  });
  const made = prepareProject(fields.filled('project') ?? '', settings, randomBytes);
  const { id } = made.project;
  const email = parseEmail(fields.require('email', 'MISSING_EMAIL'));
  const password = fields.require('password', 'MISSING_PASSWORD');
  requireAcceptable(password, projects.find(id) ?? made.project, email);
  const hash = await passwords.hashEncoded(password, MANY_CLIENTS);
  const uid = newUid(randomBytes);
  const owner = await recordStore.change((transaction): FirstOwner => {
    const records = transaction.records(INSTALLATION);
    if (!isOwnerToken(records, token, transaction.nowMs)) throw brokenLink();
    const isNew = records.find(['projects', id]) === undefined;
    saveAccount(transaction.records(accountRecords(projectScope(id))), undefined, {
      ...emptyAccount(uid, transaction.nowMs),
      email,
      // Only a person with access to the machine has the link, so the address needs no further verification.
      isEmailVerified: true,
      password: hash,
      passwordUpdatedAtMs: transaction.nowMs,
    });
    if (isNew) saveNewProject(records, made, transaction.nowMs);
    saveMember(records, id, { uid, role: 'owner', addedAtMs: transaction.nowMs });
    useOwnerLink(records);
    return { projectId: id, uid, email, apiKey: isNew ? made.apiKey : null };
  });
  const about = { projectId: id, uid, actor: 'owner-link', ...source, result: 'ok' };
  if (owner.apiKey !== null) services.audit.notify({ ...about, event: 'project_created', detail: null });
  services.audit.notify({ ...about, event: 'member_changed', detail: 'owner' });
  return owner;
}

function brokenLink(): AuthApiError {
  return new AuthApiError(
    'INVALID_OOB_CODE',
    'The link is invalid, expired or already used: restart the server to get another one.',
  );
}
