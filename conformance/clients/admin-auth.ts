import { type App, deleteApp, initializeApp } from 'firebase-admin/app';
import { type Auth, getAuth } from 'firebase-admin/auth';
import { afterAll, inject } from 'vitest';
import { isJsonObject, type JsonObject, parseJson } from '../drivers/json.ts';

/** A project as its administrator and as its users see it. */
export interface AuthProject {
  readonly projectId: string;
  readonly auth: Auth;
  /**
   * Sends a request as an app does: `send('signInWithPassword', { email, password })`. If the server answers with an
   * error, rejects with the server's error code as the message.
   */
  send(method: string, body: JsonObject): Promise<JsonObject>;
  /** Signs in with a password, and returns the ID token. */
  signIn(email: string, password: string): Promise<string>;
  /** Exchanges a refresh token for new tokens. Rejects as `send` does. */
  refresh(refreshToken: string): Promise<JsonObject>;
}

/**
 * Sets FIREBASE_AUTH_EMULATOR_HOST, and returns a function that opens a new project with the Admin SDK at each call.
 * The apps are deleted at the end of the test file.
 */
export function useAuthProjects(): () => AuthProject {
  process.env['FIREBASE_AUTH_EMULATOR_HOST'] = new URL(inject('serverUrl')).host;
  const apps: App[] = [];
  afterAll(async () => {
    await Promise.all(apps.map(deleteApp));
  });
  return () => {
    const projectId = `auth-${crypto.randomUUID().slice(0, 13)}`;
    const app = initializeApp({ projectId }, projectId);
    apps.push(app);
    return openProject(projectId, getAuth(app));
  };
}

function openProject(projectId: string, auth: Auth): AuthProject {
  const send: AuthProject['send'] = (method, body) =>
    sendToAuth(`/v1/accounts:${method}`, { ...body, targetProjectId: projectId });
  return {
    projectId,
    auth,
    send,
    async signIn(email, password) {
      return String((await send('signInWithPassword', { email, password }))['idToken']);
    },
    refresh: (refreshToken) =>
      sendToAuth('/v1/token', {
        grantType: 'refresh_token',
        refreshToken,
        targetProjectId: projectId,
      }),
  };
}

/**
 * Sends a request as an administrator. In development mode every API key belongs to one project, and only an
 * administrator may name another project in a request.
 */
async function sendToAuth(path: string, body: JsonObject): Promise<JsonObject> {
  const answer = await fetch(inject('serverUrl') + path, {
    method: 'POST',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const json = parseJson(await answer.text());
  if (!isJsonObject(json)) throw new Error(`The response of ${path} is not an object.`);
  if (answer.ok) return json;
  const { error } = json;
  throw new Error(isJsonObject(error) ? String(error['message']) : `${path}: status ${answer.status}`);
}

/** Returns an email address that no other test uses. */
export function freshEmail(): string {
  return `${crypto.randomUUID()}@example.com`;
}

/** Returns a random phone number, which another test is unlikely to get. */
export function freshPhone(): string {
  return `+1${2_000_000_000 + Math.floor(Math.random() * 7_999_999_999)}`;
}

/** A password for accounts whose password does not matter. */
export const PASSWORD = 'a long password';
