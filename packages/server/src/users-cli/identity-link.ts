import { CommandFailure } from '../ops/command-failure.ts';
import { readText, refusalFor, ServerGone, type ServerLink, send } from '../transfer/server-link.ts';
import { type JsonObject, printJson } from './json-object.ts';

/** The accounts of a project at a server. */
export interface IdentityLink {
  readonly link: ServerLink;
  readonly project: string;
  readonly signal: AbortSignal;
}

/**
 * Asks for a method of the accounts of the project: `:update`, or an address below them. Rejects with a `CommandFailure` that
 * has the server's words, and with `ServerGone` when it cannot answer now.
 */
export async function callAccounts(
  { link, project, signal }: IdentityLink,
  method: 'GET' | 'POST',
  suffix: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const path = `/v1/projects/${encodeURIComponent(project)}/accounts${suffix}`;
  const answer = await send(link, {
    method,
    path,
    signal,
    ...(body === undefined ? {} : { body: printJson(body) }),
  });
  const text = await readAnswer(answer, link, signal);
  if (answer.status === 503) throw new ServerGone(link.url, refusalFor(answer.status, text));
  const json = findObject(text);
  const message = Object(json?.['error'])['message'];
  if (answer.status !== 200 && typeof message === 'string')
    throw new CommandFailure(`The server answered ${answer.status}: ${message}`);
  if (answer.status !== 200 || json === undefined) throw refusalFor(answer.status, text);
  return json;
}

async function readAnswer(
  answer: Parameters<typeof readText>[0],
  { url }: ServerLink,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await readText(answer);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServerGone(url, cause);
  }
}

function findObject(text: string): JsonObject | undefined {
  try {
    const json: unknown = JSON.parse(text);
    return typeof json === 'object' && json !== null ? { ...json } : undefined;
  } catch {
    return undefined;
  }
}
