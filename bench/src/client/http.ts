import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, type Json, type JsonRecord } from './json.ts';

/**
 * Stores the rules of a namespace with the owner credential of development mode. Throws if the server rejects
 * them.
 */
export async function putRules(port: number, namespace: string, rules: Json): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/.settings/rules.json?ns=${namespace}`, {
    method: 'PUT',
    headers: { authorization: 'Bearer owner', 'content-type': 'application/json' },
    body: JSON.stringify({ rules }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the rules were rejected: ${answer.status} ${text}`);
}

/** A project and its credentials. */
interface ProjectAccess {
  readonly project: string;
  /** API key, for requests as an app. */
  readonly key: string;
  /** Access token, for requests as an administrator. */
  readonly token: string;
}

const IN_DEVELOPMENT: ProjectAccess = { project: 'demo', key: 'bench', token: 'owner' };

/**
 * Sends requests to the Auth API of a server; without `access`, to the default project of development mode.
 * The methods reject if the server rejects the request.
 */
export class AuthClient {
  readonly #port: number;
  readonly #access: ProjectAccess;

  constructor(port: number, access = IN_DEVELOPMENT) {
    this.#port = port;
    this.#access = access;
  }

  /** Sends a request as an app. `method` is a name such as `signUp`, for `/v1/accounts:signUp`. */
  app(method: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#send('POST', `/v1/accounts:${method}?key=${this.#access.key}`, {}, body);
  }

  /** Sends a request as an app to a whole path, such as `/v2/accounts/mfaSignIn:finalize`. */
  call(path: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#send('POST', `${path}?key=${this.#access.key}`, {}, body);
  }

  /** Changes the member of the project's configuration that `mask` names. */
  configure(mask: string, config: JsonRecord): Promise<JsonRecord> {
    const path = `/v2/projects/${this.#access.project}/config?updateMask=${mask}`;
    return this.#send('PATCH', path, this.#asAdmin(), config);
  }

  /** Sends a request as an administrator of the project. */
  admin(method: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#send(
      'POST',
      `/v1/projects/${this.#access.project}/accounts:${method}`,
      this.#asAdmin(),
      body,
    );
  }

  /** Returns the first `count` accounts, as administrators download them. */
  readAccounts(count: number): Promise<JsonRecord> {
    const path = `/v1/projects/${this.#access.project}/accounts:batchGet?maxResults=${count}`;
    return this.#send('GET', path, this.#asAdmin());
  }

  #asAdmin(): Readonly<Record<string, string>> {
    return { authorization: `Bearer ${this.#access.token}` };
  }

  #send(
    method: 'GET' | 'POST' | 'PATCH',
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
          else
            reject(new Error(`the response to ${path} was ${response.statusCode}: ${answer.slice(0, 300)}`));
        }, reject);
      });
      outgoing.end(bytes);
    });
  }
}
