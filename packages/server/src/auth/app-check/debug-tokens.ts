import { createHash, timingSafeEqual } from 'node:crypto';
import { INSTALLATION, type RecordView } from '../../records/store.ts';
import { AuthApiError } from '../errors.ts';
import { isJsonObject, type JsonObject } from '../fields.ts';
import type { Project } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import { type AuthServices, recordAudit } from '../services.ts';

/**
 * The debug tokens of apps, at `appCheckDebugTokens / project / app / id` in the records of the installation: the name,
 * and the SHA-256 of the token in hex. The server accepts a program that knows the token as the app. History: this is the
 * first format; it stores no version number.
 */

const COLLECTION = 'appCheckDebugTokens';
/** Maximum number of debug tokens of an app. */
const MAX_DEBUG_TOKENS = 20;
const MAX_NAME_LENGTH = 128;
const ID_BYTES = 9;
/** Official clients create UUIDs of version 4. Other texts could be guessed. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

interface DebugToken {
  readonly id: string;
  readonly displayName: string;
  readonly hash: string;
}

function listTokens(records: RecordView, projectId: string, appId: string): readonly DebugToken[] {
  const rows = records.list([COLLECTION, projectId, appId], { limit: MAX_DEBUG_TOKENS });
  return rows.flatMap(({ key, value }) => {
    if (!isJsonObject(value)) return [];
    const { displayName = '', hash } = value;
    if (typeof displayName !== 'string' || typeof hash !== 'string') return [];
    return [{ id: key, displayName, hash }];
  });
}

function hashOf(token: string): string {
  return createHash('sha256').update(token.toLowerCase()).digest('hex');
}

/** Returns whether a text is a debug token of an app. */
export function isDebugToken(
  { recordStore }: AuthServices,
  { id }: Project,
  appId: string,
  text: string,
): boolean {
  if (!UUID.test(text)) return false;
  const hash = Buffer.from(hashOf(text));
  return recordStore
    .read((view) => listTokens(view.records(INSTALLATION), id, appId))
    .some((known) => timingSafeEqual(Buffer.from(known.hash), hash));
}

function requireApp({ project, segments }: AuthRequest, { appChecks }: AuthServices): string {
  const appId = segments['app'] ?? '';
  if (!appChecks.isAppOf(appId, project)) throw new AuthApiError('NOT_FOUND', 'The project has no such app.');
  return appId;
}

function tokenJson({ project }: AuthRequest, appId: string, { id, displayName }: DebugToken): JsonObject {
  return { name: `projects/${project.number}/apps/${appId}/debugTokens/${id}`, displayName };
}

/** `POST /v1/projects/{project}/apps/{app}/debugTokens`: adds a debug token. Fields: `displayName`, `token`. */
export async function createDebugToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const appId = requireApp(call, services);
  const { fields, project } = call;
  const displayName = fields.text('displayName') ?? '';
  const token = fields.text('token') ?? '';
  if (displayName === '' || displayName.length > MAX_NAME_LENGTH)
    throw new AuthApiError('INVALID_ARGUMENT', `displayName must have 1 to ${MAX_NAME_LENGTH} characters.`);
  if (!UUID.test(token))
    throw new AuthApiError('INVALID_ARGUMENT', 'token must be a random UUID (version 4).');
  const id = Buffer.from(services.randomBytes(ID_BYTES)).toString('base64url');
  const added = { id, displayName, hash: hashOf(token) };
  await services.recordStore.change((transaction) => {
    const records = transaction.records(INSTALLATION);
    if (listTokens(records, project.id, appId).length >= MAX_DEBUG_TOKENS)
      throw new AuthApiError('INVALID_ARGUMENT', `An app has at most ${MAX_DEBUG_TOKENS} debug tokens.`);
    records.write([COLLECTION, project.id, appId, id], { displayName, hash: added.hash });
  });
  auditChange(services, call, `debug token added for ${appId}`);
  return tokenJson(call, appId, added);
}

/** `GET /v1/projects/{project}/apps/{app}/debugTokens`: lists the names of debug tokens. */
export async function listDebugTokens(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const appId = requireApp(call, services);
  const tokens = services.recordStore.read((view) =>
    listTokens(view.records(INSTALLATION), call.project.id, appId),
  );
  return { debugTokens: tokens.map((token) => tokenJson(call, appId, token)) };
}

/** `DELETE /v1/projects/{project}/apps/{app}/debugTokens/{id}`: removes a debug token. */
export async function deleteDebugToken(call: AuthRequest, services: AuthServices): Promise<JsonObject> {
  const { project, segments } = call;
  const appId = segments['app'] ?? '';
  const path = [COLLECTION, project.id, appId, segments['id'] ?? ''];
  await services.recordStore.change((transaction) => {
    const records = transaction.records(INSTALLATION);
    if (records.find(path) === undefined)
      throw new AuthApiError('NOT_FOUND', 'The app has no such debug token.');
    records.write(path, null);
  });
  auditChange(services, call, `debug token removed for ${appId}`);
  return {};
}

function auditChange(services: AuthServices, call: AuthRequest, detail: string): void {
  recordAudit(services, call, 'app_check_changed', null, { detail });
}
