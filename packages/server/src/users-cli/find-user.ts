import { CommandFailure } from '../ops/command-failure.ts';
import { type FileUser, isFileUser } from './file-user.ts';
import { callAccounts, type IdentityLink } from './identity-link.ts';

/** The account with a name or an address. Rejects with a `CommandFailure` when there is none. */
export async function mustFindUser(server: IdentityLink, who: string): Promise<FileUser> {
  const asked = who.includes('@') ? { email: [who], localId: [who] } : { localId: [who] };
  const answer = await callAccounts(server, 'POST', ':lookup', asked);
  const [found] = [answer['users'] ?? []].flat().filter(isFileUser);
  if (found === undefined) throw new CommandFailure(`The project ${server.project} has no account ${who}.`);
  return found;
}
