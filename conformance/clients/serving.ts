import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hearthAdmin } from '@hearth/client/admin';
import { type App, cert, deleteApp, initializeApp } from 'firebase-admin/app';
import { type Auth, getAuth } from 'firebase-admin/auth';
import { readToken } from '../drivers/administrator.ts';
import { isJsonObject, type JsonObject, parseJson } from '../drivers/json.ts';
import { findReservedPort, NODE_BINARY, SERVER_MAIN, startServer } from '../drivers/server-process.ts';
import { makeCertificate } from './own-certificate.ts';
import { runProgram } from './run-program.ts';

/** A process of `hearth serve` with TLS, as in production. */
export interface Serving {
  /** Creates a project with these sign-in methods in addition to the usual ones, and returns its API key. */
  createProject(projectId: string, methods?: readonly string[]): Promise<string>;
  /** Creates a key file of a service account with these roles; without roles, with those that the backend of an app needs. */
  createKey(projectId: string, account: string, roles: readonly string[]): Promise<KeyFile>;
  /** Revokes a key. */
  revokeKey(projectId: string, account: string, key: KeyFile): Promise<void>;
  /** Opens Auth of the Admin SDK with a key file. */
  openAuth(key: KeyFile): Auth;
  /** Opens Auth of the Admin SDK with access tokens but without the private key, so that the server must sign custom tokens. */
  openRemoteSigner(key: KeyFile): Auth;
  /**
   * Runs a module in a process of its own, and returns its standard output. The module can use `app`, an Admin SDK app
   * that has the key file and trusts the server's certificate, and `deleteApp`. Rejects if the process fails.
   */
  runAdmin(key: KeyFile, code: string): Promise<string>;
  /**
   * Sends a request as an app does: `send(apiKey, 'accounts:signInWithPassword', { email, password })`. If
   * `method` begins with a slash, it is the whole path. If the server answers with an error, rejects with the server's
   * error code as the message.
   */
  send(apiKey: string, method: string, body: JsonObject): Promise<JsonObject>;
  /** Sends a request as an administrator of the whole server. */
  admin(method: 'GET' | 'POST' | 'PATCH', path: string, body?: JsonObject): Promise<JsonObject>;
  /** `https://localhost` with the port. */
  readonly url: string;
  /** The server's own certificate in PEM. */
  readonly certificate: string;
  close(): Promise<void>;
}

/** The contents of a key file, with the member names that `cert` accepts, and the id of the key. Has only the members that the tests use. */
export interface KeyFile {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly keyId: string;
}

/**
 * Starts a server with its own data and certificate, and with more options and variables if given. The caller must close
 * it.
 */
export async function openServing(
  options: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<Serving> {
  const folder = await mkdtemp(join(tmpdir(), 'hearth-serving-'));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const { cert: certificate, key } = makeCertificate('localhost');
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  await writeFile(certFile, certificate);
  await writeFile(keyFile, key);
  const port = await findReservedPort();
  const url = `https://localhost:${port}`;
  const args = ['--tls-cert', certFile, '--tls-key', keyFile, '--public-url', url, ...options];
  const server = await startServer({ command: 'serve', dataDir, port, args, env });
  const agent = new Agent({ ca: certificate });
  const apps: { readonly app: App; readonly agent: Agent }[] = [];
  const project = async (...words: readonly string[]): Promise<string> => {
    const ended = await runProgram({
      command: NODE_BINARY,
      args: ['--conditions=source', SERVER_MAIN, 'project', ...words, '--data', dataDir],
      cwd: folder,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    if (ended.code !== 0) throw new Error(`hearth project ${words.join(' ')}: ${ended.stderr}`);
    return ended.stdout;
  };
  return {
    url,
    certificate,
    async createProject(projectId, methods = []) {
      const given = methods.flatMap((method) => ['--enable', method]);
      const apiKey = /^API key +(\S+)$/m.exec(await project('create', projectId, ...given))?.[1];
      if (apiKey === undefined) throw new Error('The project has no API key.');
      return apiKey;
    },
    async createKey(projectId, account, roles) {
      const out = join(folder, `${crypto.randomUUID()}.json`);
      const given = roles.flatMap((role) => ['--role', role]);
      await project('keys', projectId, '--service-account', account, '--out', out, ...given);
      return parseKeyFile(await readFile(out, 'utf8'));
    },
    async revokeKey(projectId, account, { keyId }) {
      await project('keys', projectId, '--service-account', account, '--revoke', keyId);
    },
    openAuth(serviceAccount) {
      const options = hearthAdmin({ url, ca: certificate, credential: cert({ ...serviceAccount }) });
      const app = initializeApp(options, crypto.randomUUID());
      apps.push({ app, agent: options.httpAgent });
      return getAuth(app);
    },
    openRemoteSigner(serviceAccount) {
      const { credential, httpAgent } = hearthAdmin({
        url,
        ca: certificate,
        credential: cert({ ...serviceAccount }),
      });
      const app = initializeApp(
        {
          credential: { getAccessToken: () => credential.getAccessToken() },
          httpAgent,
          projectId: serviceAccount.projectId,
          serviceAccountId: serviceAccount.clientEmail,
        },
        crypto.randomUUID(),
      );
      apps.push({ app, agent: httpAgent });
      return getAuth(app);
    },
    async runAdmin(serviceAccount, code) {
      const options = JSON.stringify({ url, ca: certificate, credential: serviceAccount });
      const ended = await runProgram({
        command: NODE_BINARY,
        args: ['--conditions=source', '--input-type=module', '--eval', `${openApp(options)}${code}`],
        cwd: import.meta.dirname,
        env: { PATH: process.env['PATH'] ?? '' },
      });
      if (ended.code !== 0) throw new Error(ended.stderr);
      return ended.stdout;
    },
    send: (apiKey, method, body) =>
      sendJson(`${url}${method.startsWith('/') ? method : `/v1/${method}`}?key=${apiKey}`, { agent }, body),
    async admin(method, path, body) {
      const headers = { authorization: `Bearer ${await readToken(dataDir)}` };
      return sendJson(`${url}${path}`, { agent, method, headers }, body);
    },
    async close() {
      for (const opened of apps) {
        await deleteApp(opened.app);
        opened.agent.destroy();
      }
      agent.destroy();
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Returns the first statements of a module for `runAdmin`; they create `app`. `options` is JSON. */
const openApp = (options: string): string => `
import { hearthAdmin } from '@hearth/client/admin';
import { cert, deleteApp, initializeApp } from 'firebase-admin/app';
const { url, ca, credential } = ${options};
const app = initializeApp(hearthAdmin({ url, ca, credential: cert(credential) }));
`;

function parseKeyFile(text: string): KeyFile {
  const json = parseJson(text);
  if (!isJsonObject(json)) throw new Error('The key file is not an object.');
  const { project_id, client_email, private_key, private_key_id } = json;
  return {
    projectId: String(project_id),
    clientEmail: String(client_email),
    privateKey: String(private_key),
    keyId: String(private_key_id),
  };
}

interface Sending {
  readonly agent: Agent;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function sendJson(
  url: string,
  { agent, method = 'POST', headers }: Sending,
  body?: JsonObject,
): Promise<JsonObject> {
  const json = await new Promise<JsonObject>((resolve, reject) => {
    const typed = { ...headers, 'content-type': 'application/json' };
    const sent = request(url, { method, agent, headers: typed }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (part) => {
        text += part;
      });
      answer.once('end', () => {
        const value = parseJson(text);
        if (isJsonObject(value)) resolve(value);
        else reject(new Error(`The server responded with ${text}`));
      });
    });
    sent.once('error', reject).end(body === undefined ? undefined : JSON.stringify(body));
  });
  const { error } = json;
  if (isJsonObject(error)) throw new Error(String(error['message']));
  return json;
}
