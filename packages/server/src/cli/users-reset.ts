import { CommandFailure } from '../ops/command-failure.ts';
import type { FlagsOf } from '../ops/option.ts';
import type { USERS_OPTIONS } from '../ops/users-options.ts';
import { callAccounts } from '../users-cli/identity-link.ts';
import { mustFindUser } from '../users-cli/must-find-user.ts';
import { abortOnSignal } from './interruption.ts';
import { readUsersServer } from './users-server.ts';

/** `hearth users reset`: prints a link with which somebody chooses a new password. It sends no mail. */
export async function runUsersReset(flags: FlagsOf<typeof USERS_OPTIONS>, who: string): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const { email } = await mustFindUser(server, who);
  if (email === undefined) throw new CommandFailure(`${who} has no e-mail address, and so no password.`);
  const asked = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
  const { oobLink } = await callAccounts(server, 'POST', ':sendOobCode', asked);
  process.stdout.write(`${String(oobLink)}\n`);
}
