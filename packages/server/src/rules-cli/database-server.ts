import { CommandFailure } from '../ops/command-failure.ts';
import { readText, refusalFor, type ServerLink, send } from '../transfer/server-link.ts';
import { AnswerJson } from './answer-json.ts';

/** A database of a running server, as its administrators reach it. */
export interface DatabaseServer {
  readonly link: ServerLink;
  readonly database: string;
  readonly signal: AbortSignal;
}

/** Asks the interface of Hearth's own, below the database; `body` is JSON. Rejects with `ServerGone` or a `CommandFailure`. */
export async function askServer(
  server: DatabaseServer,
  method: 'GET' | 'POST',
  resource: string,
  body?: string,
): Promise<AnswerJson> {
  const path = `/api/databases/${encodeURIComponent(server.database)}/${resource}`;
  return new AnswerJson(parseAnswer(await ask(server, method, path, body)));
}

/** The rules that are in force, as they were published. */
export function readPublishedRules(server: DatabaseServer): Promise<string> {
  return ask(server, 'GET', `/.settings/rules.json?ns=${encodeURIComponent(server.database)}`, undefined);
}

async function ask(
  { link, signal }: DatabaseServer,
  method: 'GET' | 'POST',
  path: string,
  body: string | undefined,
): Promise<string> {
  const request = { method, path, signal };
  const answer = await send(link, body === undefined ? request : { ...request, body });
  const text = await readText(answer);
  if (answer.status !== 200) throw refusalFor(answer.status, text);
  return text;
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandFailure('The server did not answer with JSON: is it Hearth?', cause);
  }
}
