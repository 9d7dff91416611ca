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
  { link, database, signal }: DatabaseServer,
  method: 'GET' | 'POST',
  resource: string,
  body?: string,
): Promise<AnswerJson> {
  const request = { method, path: `/api/databases/${encodeURIComponent(database)}/${resource}`, signal };
  const answer = await send(link, body === undefined ? request : { ...request, body });
  const text = await readText(answer);
  if (answer.status !== 200) throw refusalFor(answer.status, text);
  return new AnswerJson(parseAnswer(text));
}

function parseAnswer(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new CommandFailure('The server did not answer with JSON: is it Hearth?', cause);
  }
}
