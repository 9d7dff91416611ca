import { setTimeout } from 'node:timers/promises';
import { printJson } from '../../auth/accounts/account-file.ts';
import type { JsonObject } from '../../auth/fields.ts';
import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { findServer } from '../find-server.ts';
import { errorFor, readText, type ServerLink, ServerUnreachable, send } from '../transfer/server-link.ts';
import { readProjectId } from '../transfer/target.ts';
import { USERS_OPTIONS } from './options.ts';

/** The accounts of a project, or of one of its tenants, on a server. */
export interface AccountsServer {
  readonly link: ServerLink;
  readonly project: string;
  readonly tenant: string | null;
  readonly signal: AbortSignal;
}

/**
 * Calls a method of the accounts API of the project or tenant. `suffix` is a method such as `:update`, or a path below the
 * accounts. Rejects with a `CommandFailure` that contains the server's message, or with `ServerUnreachable`
 * if the server is temporarily unavailable.
 */
export async function callAccounts(
  { link, project, tenant, signal }: AccountsServer,
  method: 'GET' | 'POST',
  suffix: string,
  body?: JsonObject,
): Promise<JsonObject> {
  const scope = tenant === null ? '' : `/tenants/${encodeURIComponent(tenant)}`;
  const path = `/v1/projects/${encodeURIComponent(project)}${scope}/accounts${suffix}`;
  const answer = await send(link, {
    method,
    path,
    signal,
    ...(body === undefined ? {} : { body: printJson(body) }),
  });
  const text = await readAnswer(answer, link, signal);
  if (answer.status === 503) throw new ServerUnreachable(link, errorFor(answer, text));
  const json = findObject(text);
  if (answer.status !== 200 || json === undefined) throw errorFor(answer, text);
  return json;
}

async function readAnswer(
  answer: Parameters<typeof readText>[0],
  link: ServerLink,
  signal: AbortSignal,
): Promise<string> {
  try {
    return await readText(answer);
  } catch (cause) {
    signal.throwIfAborted();
    throw new ServerUnreachable(link, cause);
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

/** Returns the words that name the accounts in messages: `demo`, or `the tenant acme-12 of demo`. */
export function nameOfAccounts({ project, tenant }: Pick<AccountsServer, 'project' | 'tenant'>): string {
  return tenant === null ? project : `the tenant ${tenant} of ${project}`;
}

/**
 * Returns the server, the project and the tenant that the options of a command name. Throws a `StartFailure` if an option
 * is invalid.
 */
export function readUsersServer(flags: FlagsOf<typeof USERS_OPTIONS>, signal: AbortSignal): AccountsServer {
  const tenant = readOption(USERS_OPTIONS.tenant, flags.tenant);
  if (tenant === '') throw new StartFailure('--tenant must be the ID of a tenant.');
  return { link: findServer(flags), project: readProjectId(flags.project), tenant, signal };
}

/**
 * The time after which `withRetry` gives up on an unavailable server, and the shortest and longest delay
 * between attempts.
 */
const GIVE_UP_MS = 60_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

export interface RetryOptions {
  readonly signal: AbortSignal;
  readonly elapsedMs: () => number;
  /** Called with a sentence for the user. */
  readonly report: (sentence: string) => void;
}

/**
 * Calls `attempt`, and calls it again while the server is unavailable, for up to a minute. `attempt` must be
 * safe to repeat.
 */
export async function withRetry<T>(
  { signal, elapsedMs, report }: RetryOptions,
  attempt: () => Promise<T>,
): Promise<T> {
  let unreachableSinceMs: number | undefined;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS))
    try {
      return await attempt();
    } catch (cause) {
      if (!(cause instanceof ServerUnreachable)) throw cause;
      if (unreachableSinceMs === undefined) report('The server does not answer. Retrying.');
      unreachableSinceMs ??= elapsedMs();
      if (elapsedMs() - unreachableSinceMs > GIVE_UP_MS) throw cause;
      await setTimeout(pauseMs, undefined, { signal });
    }
}

export type UserFormat = 'json' | 'csv';

/**
 * Returns the format of an account file, which its name determines. Throws a `StartFailure` if the name has
 * another extension.
 */
export function readUserFormat(file: string): UserFormat {
  const [, format] = /\.(json|csv)(?:\.gz)?$/i.exec(file) ?? [];
  if (format === undefined)
    throw new StartFailure(
      `${file} is not a name for an account file. Use a name that ends in .json or .csv, optionally followed by .gz.`,
    );
  return format.toLowerCase() === 'csv' ? 'csv' : 'json';
}

/**
 * Returns the path of the hash parameters that belong to an account file: `users.hash-parameters.json` next
 * to `users.json`.
 */
export function hashParametersFile(file: string): string {
  return file.replace(/\.(?:json|csv)(?:\.gz)?$/i, '.hash-parameters.json');
}
