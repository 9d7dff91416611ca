import { CommandFailure } from '../../platform/failures.ts';
import { requireServer } from '../find-server.ts';
import type { ServerFlags } from '../options.ts';
import { abortOnSignal } from '../signals.ts';
import { errorFor, type LinkRequest, readText, send } from '../transfer/server-link.ts';

/** Sends a request about projects to a server. Rejects with a `StartFailure` or a `CommandFailure`. */
export type SendProjectRequest = (
  method: LinkRequest['method'],
  path: string,
  body?: unknown,
) => Promise<ProjectAnswer>;

export type ProjectAnswer = Readonly<Record<string, unknown>>;

/**
 * Returns a client for the server that the options of a command name. Throws a `StartFailure` if neither they nor
 * the data directory name one.
 */
export function createProjectClient(flags: ServerFlags): SendProjectRequest {
  const link = requireServer(flags);
  const signal = abortOnSignal();
  return async (method, path, body) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(link, { method, path, signal, ...content });
    const text = await readText(answer);
    if (answer.status !== 200) throw errorFor(answer, text);
    return parseAnswer(text);
  };
}

function parseAnswer(text: string): ProjectAnswer {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return { ...json };
  } catch (cause) {
    throw new CommandFailure('The server did not answer with JSON. Check that it is Hearth.', cause);
  }
  throw new CommandFailure('The server did not answer with a JSON object. Check that it is Hearth.');
}
