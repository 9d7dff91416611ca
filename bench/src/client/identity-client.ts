import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { isRecord, type JsonRecord } from './json.ts';

/** Asks the interface of identity of a server in development mode, and throws when it refuses. */
export class IdentityClient {
  readonly #port: number;

  constructor(port: number) {
    this.#port = port;
  }

  /** As an app: `signUp` stands for `/v1/accounts:signUp`. */
  app(method: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#post(`/v1/accounts:${method}?key=bench`, body, {});
  }

  /** As an administrator of the project. */
  admin(method: string, body: JsonRecord): Promise<JsonRecord> {
    return this.#post(`/v1/projects/demo/accounts:${method}`, body, { authorization: 'Bearer owner' });
  }

  #post(path: string, body: JsonRecord, headers: Readonly<Record<string, string>>): Promise<JsonRecord> {
    const bytes = Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const outgoing = request({
        host: '127.0.0.1',
        port: this.#port,
        method: 'POST',
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
