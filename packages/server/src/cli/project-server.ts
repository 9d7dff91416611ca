import { resolve } from 'node:path';
import { CommandFailure } from '../ops/command-failure.ts';
import { findLocalAccess } from '../ops/local-access.ts';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { PROJECT_OPTIONS } from '../ops/project-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { type LinkRequest, readText, refusalFor, type ServerLink, send } from '../transfer/server-link.ts';
import { abortOnSignal } from './interruption.ts';

/** Asks a server about its projects. Rejects with a `StartFailure` or a `CommandFailure`. */
export type AskProjects = (
  method: LinkRequest['method'],
  path: string,
  body?: unknown,
) => Promise<ProjectAnswer>;

export type ProjectAnswer = Readonly<Record<string, unknown>>;

/** The server that the options of a command name. Throws a `StartFailure`. */
export function openProjectServer(flags: FlagsOf<typeof PROJECT_OPTIONS>): AskProjects {
  const link = readLink(flags);
  const signal = abortOnSignal();
  return async (method, path, body) => {
    const content = body === undefined ? {} : { body: JSON.stringify(body) };
    const answer = await send(link, { method, path: `/api/projects${path}`, signal, ...content });
    const text = await readText(answer);
    if (answer.status !== 200) throw refusalFor(answer.status, text);
    return parseAnswer(text);
  };
}

function readLink(flags: FlagsOf<typeof PROJECT_OPTIONS>): ServerLink {
  const url = readOption(PROJECT_OPTIONS.url, flags.url);
  const token = readOption(PROJECT_OPTIONS.token, flags.token);
  if (url !== null && token !== null) return { url, token };
  if (url !== null || token !== null)
    throw new StartFailure('--url and --token belong together: give both or neither.');
  const directory = resolve(readOption(PROJECT_OPTIONS.data, flags.data));
  const access = findLocalAccess(directory);
  if (access === undefined)
    throw new StartFailure(
      `No server serves from ${directory}: start one with "hearth serve --data ${directory}", or name another directory with --data.`,
    );
  return access;
}

function parseAnswer(text: string): ProjectAnswer {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json === 'object' && json !== null) return { ...json };
  } catch (cause) {
    throw new CommandFailure('The server did not answer with JSON: is it Hearth?', cause);
  }
  throw new CommandFailure('The server did not answer with a JSON object: is it Hearth?');
}
