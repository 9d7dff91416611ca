import { once } from 'node:events';
import { type IncomingMessage, request as requestOverTcp } from 'node:http';
import { type RequestOptions, request as requestOverTls } from 'node:https';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';

/** The address of a server and the credential for it. */
export interface ServerLink {
  /** Without a path, for example `http://127.0.0.1:9000`. */
  readonly url: string;
  /** The part after `Bearer` in the header `Authorization`. */
  readonly token: string;
  /**
   * The certificate of a server on this machine, in PEM. It is trusted instead of those of the system, for
   * any host name.
   */
  readonly certificate?: string | null;
  /** A sentence that says where the command looked for the server, for error messages. */
  readonly searched?: string;
}

export interface LinkRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** The path with its query. */
  readonly path: string;
  /** A text, or its parts in UTF-8. */
  readonly body?: string | readonly Buffer[];
  readonly signal: AbortSignal;
}

/**
 * The error for a server that does not answer, or whose response is interrupted. The same request may succeed
 * later.
 */
export class ServerUnreachable extends StartFailure {
  constructor({ url, searched }: Pick<ServerLink, 'url' | 'searched'>, cause: unknown) {
    super(
      `The server at ${url} does not answer (${reasonOf(cause)}). ${searched === undefined ? '' : `${searched} `}Start it, or specify another server with --url or --data.`,
      cause,
    );
    this.name = 'ServerUnreachable';
  }
}

/** The response of a server. The caller must read the body. */
export interface LinkAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Buffer>;
  /** That of the link. */
  readonly searched?: string | undefined;
}

/**
 * Sends a request and returns the response, whatever its status. Does not follow redirects, because that
 * would send the token to another address. Rejects with `ServerUnreachable`, or with the reason of the signal
 * when it is aborted.
 */
export async function send(link: ServerLink, request: LinkRequest): Promise<LinkAnswer> {
  const { url, token, certificate, searched } = link;
  const { method, path, body = [], signal } = request;
  const address = new URL(path, url);
  const open = address.protocol === 'https:' ? requestOverTls : requestOverTcp;
  try {
    const trust = certificate ? trustOnly(certificate) : {};
    const parts = typeof body === 'string' ? [Buffer.from(body)] : body;
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const headers = { authorization: `Bearer ${token}`, ...(length > 0 && { 'content-length': length }) };
    const outgoing = open(address, { method, signal, headers, ...trust });
    const answered = once(outgoing, 'response');
    for (const part of parts) outgoing.write(part);
    outgoing.end();
    const [incoming] = (await answered) as [IncomingMessage];
    return { status: incoming.statusCode ?? 0, body: incoming, searched };
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServerUnreachable(link, cause);
  }
}

/**
 * Returns TLS options that trust only this certificate. The server presents this certificate, or one that it
 * signed.
 */
function trustOnly(certificate: string): RequestOptions {
  return { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}

/** Returns the whole body of a response. Rejects if the response is interrupted. */
export async function readText({ body }: LinkAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** Returns an error that contains the server's message for a rejected request. */
export async function requestErrorOf(answer: LinkAnswer): Promise<CommandFailure> {
  return errorFor(answer, await readText(answer).catch(() => ''));
}

/**
 * Returns an error that contains the server's message. If the server rejected the credential, it also says where
 * the command looked for one.
 */
export function errorFor(
  { status, searched }: Pick<LinkAnswer, 'status' | 'searched'>,
  text: string,
): CommandFailure {
  const sentence = `The server answered ${status}: ${findSentence(text)}`;
  return new CommandFailure(
    status === UNAUTHENTICATED && searched !== undefined
      ? `${sentence.replace(/(?<![.!?])$/, '.')} ${searched} Name the server's data directory with --data, or a credential with --token.`
      : sentence,
  );
}

const UNAUTHENTICATED = 401;

function findSentence(text: string): string {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null && 'error' in json) return printError(json.error);
  } catch {
    // Not JSON: the response comes from another program.
  }
  return text.length > 200 ? `${text.slice(0, 200)}…` : text;
}

/** Returns the sentence of an error. The Auth API has the sentence in an object. */
function printError(error: unknown): string {
  return typeof error === 'object' && error !== null && 'message' in error
    ? String(error.message)
    : String(error);
}

/** Returns the message of the innermost cause: network errors are nested in other errors. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause !== undefined) return reasonOf(error.cause);
  return 'code' in error && error.message === '' ? String(error.code) : error.message;
}
