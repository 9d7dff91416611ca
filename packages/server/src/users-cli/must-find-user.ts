import { CommandFailure } from '../ops/command-failure.ts';
import type { FileUser } from './file-user.ts';
import { callAccounts, type IdentityLink } from './identity-link.ts';
import { objectsOf } from './json-object.ts';

/** The account with a name or an address. Rejects with a `CommandFailure` when there is none. */
export async function mustFindUser(server: IdentityLink, who: string): Promise<FileUser> {
  const asked = who.includes('@') ? { email: [who], localId: [who] } : { localId: [who] };
  const answer = await callAccounts(server, 'POST', ':lookup', asked);
  const [found] = objectsOf(answer['users']);
  if (found === undefined) throw new CommandFailure(`The project ${server.project} has no account ${who}.`);
  return found;
}
