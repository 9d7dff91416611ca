import { once } from 'node:events';
import { type IncomingMessage, request as requestInClear } from 'node:http';
import { type RequestOptions, request as requestOverTls } from 'node:https';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';

/** Where a server is, and who asks. */
export interface ServerLink {
  /** Without a path: `http://127.0.0.1:9000`. */
  readonly url: string;
  /** What comes after `Bearer` in the header `Authorization`. */
  readonly token: string;
  /** In PEM, of a server on this machine: to trust instead of those of the system, whatever name it is for. */
  readonly certificate?: string | null;
}

export interface LinkRequest {
  readonly method: 'GET' | 'PUT' | 'PATCH' | 'POST' | 'DELETE';
  /** With its query. */
  readonly path: string;
  /** A text, or its parts in UTF-8. */
  readonly body?: string | readonly Buffer[];
  readonly signal: AbortSignal;
}

/** The server did not answer, or its answer broke off: the same request may do better later. */
export class ServerUnreachable extends StartFailure {
  constructor(url: string, cause: unknown) {
    super(
      `The server at ${url} does not answer (${reasonOf(cause)}). Start it, or name another server with --url.`,
      cause,
    );
    this.name = 'ServerGone';
  }
}

/** What a server has answered; the body must be read. */
export interface LinkAnswer {
  readonly status: number;
  readonly body: AsyncIterable<Buffer>;
}

/**
 * Sends a request; answers of every status come back, redirects too, because to follow one would take the token elsewhere.
 * Rejects with `ServerUnreachable`, or as the signal says.
 */
export async function send(
  { url, token, certificate }: ServerLink,
  request: LinkRequest,
): Promise<LinkAnswer> {
  const { method, path, body = [], signal } = request;
  const address = new URL(path, url);
  const open = address.protocol === 'https:' ? requestOverTls : requestInClear;
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
    return { status: incoming.statusCode ?? 0, body: incoming };
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServerUnreachable(url, cause);
  }
}

/** The server shows this certificate itself, or one that it vouches for. */
function trustOnly(certificate: string): RequestOptions {
  return { ca: certificate, allowPartialTrustChain: true, checkServerIdentity: () => undefined };
}

/** All of an answer. Rejects when it breaks off. */
export async function readText({ body }: LinkAnswer): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}

/** What the server says of a request that it has refused. */
export async function requestErrorOf(answer: LinkAnswer): Promise<CommandFailure> {
  return errorFor(answer.status, await readText(answer).catch(() => ''));
}

export function errorFor(status: number, text: string): CommandFailure {
  return new CommandFailure(`The server answered ${status}: ${findSentence(text)}`);
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
