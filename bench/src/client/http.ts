import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, type Json, type JsonRecord } from './json.ts';

/** Stores the rules of a namespace with the development-mode owner credential. Throws unless the server accepts them. */
export async function putRules(port: number, namespace: string, rules: Json): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/.settings/rules.json?ns=${namespace}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the rules were refused: ${answer.status} ${text}`);
}

/** Whose accounts are meant, and what lets somebody in. */
interface ProjectAccess {
  readonly project: string;
  /** For apps. */
  readonly key: string;
  /** For administrators. */
  readonly token: string;
}

const IN_DEVELOPMENT: ProjectAccess = { project: 'demo', key: 'bench', token: 'owner' };

/** Asks the interface of identity of a server, in development mode unless a project is named, and throws when it refuses. */
export class IdentityClient {
  readonly #port: number;
  readonly #access: ProjectAccess;

  constructor(port: number, access = IN_DEVELOPMENT) {
    this.#port = port;
    this.#access = access;
  }

  /** As an app: `signUp` stands for `/v1/accounts:signUp`. */
  app(method: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#ask('POST', `/v1/accounts:${method}?key=${this.#access.key}`, {}, body);
  }

  /** Sends a request as an administrator of the project. */
  admin(method: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#ask(
      'POST',
      `/v1/projects/${this.#access.project}/accounts:${method}`,
      this.#asAdmin(),
      body,
    );
  }

  /** The first accounts, as administrators download them. */
  readAccounts(count: number): Promise<JsonRecord> {
    const path = `/v1/projects/${this.#access.project}/accounts:batchGet?maxResults=${count}`;
    return this.#ask('GET', path, this.#asAdmin());
  }

  #asAdmin(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#access.token}` };
  }

  #ask(
    method: 'GET' | 'POST',
    path: string,
    headers: Readonly<Record<string, string>>,
    body?: JsonRecord,
  ): Promise<JsonRecord> {
    const bytes = body === undefined ? new Uint8Array() : Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.#port,
        method,
        path,
        headers: { ...headers, 'content-length': bytes.length },
      });
      outgoing.on('error', reject);
      outgoing.on('response', (response) => {
        text(response).then((answer) => {
          const json: unknown = response.statusCode === 200 ? JSON.parse(answer) : undefined;
          if (isRecord(json)) resolve(json);
          else reject(new Error(`${path} was answered ${response.statusCode}: ${answer.slice(0, 300)}`));
        }, reject);
      });
      outgoing.end(bytes);
    });
  }
}
