import { CommandFailure } from '../ops/command-failure.ts';
import { StartFailure } from '../ops/start-failure.ts';

/** Where a server is, and who asks. */
export interface ServerLink {
  /** Without a path: `http://127.0.0.1:9000`. */
  readonly url: string;
  /** What comes after `Bearer` in the header `Authorization`. */
  readonly token: string;
}

export interface LinkRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** With its query. */
  readonly path: string;
  readonly body?: Buffer | string;
  readonly signal: AbortSignal;
}

/** The server did not answer, or its answer broke off: the same request may do better later. */
export class ServerGone extends StartFailure {
  constructor(url: string, cause: unknown) {
    super(
      `The server at ${url} does not answer (${reasonOf(cause)}): is it running? Name another with --url.`,
      cause,
    );
    this.name = 'ServerGone';
  }
}

/** Sends a request; answers of every status come back. Rejects with `ServerGone`, or as the signal says. */
export async function send({ url, token }: ServerLink, request: LinkRequest): Promise<Response> {
  const { method, path, body, signal } = request;
  try {
    return await fetch(`${url}${path}`, {
      method,
      signal,
      // A redirect would take the token elsewhere.
      redirect: 'manual',
      headers: { authorization: `Bearer ${token}`, 'accept-encoding': 'identity' },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : new Uint8Array(body) }),
    });
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServerGone(url, cause);
  }
}

/** What the server says of a request that it has refused. */
export async function refusalOf(response: Response): Promise<CommandFailure> {
  const text = await response.text().catch(() => '');
  return new CommandFailure(`The server answered ${response.status}: ${findSentence(text)}`);
}

function findSentence(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && 'error' in json) return String(json.error);
  } catch {
    // Not JSON: something else listens there.
  }
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Errors of the network are inside others. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return 'code' in error && error.message === '' ? String(error.code) : error.message;
}
