import { type FlagsOf, readOption } from '../ops/option.ts';
import { USERS_OPTIONS } from '../ops/users-options.ts';
import type { IdentityLink } from '../users-cli/identity-link.ts';
import { readLink, readProjectId } from './transfer-target.ts';

/** The server and the project that the options of a command name. Throws a `StartFailure`. */
export function readUsersServer(flags: FlagsOf<typeof USERS_OPTIONS>, signal: AbortSignal): IdentityLink {
  const url = readOption(USERS_OPTIONS.url, flags.url);
  const token = readOption(USERS_OPTIONS.token, flags.token);
  return { link: readLink(url, token), project: readProjectId(flags.project), signal };
}
