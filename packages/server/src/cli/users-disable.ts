import { type FlagsOf, readOption } from '../ops/option.ts';
import { USERS_DISABLE_OPTIONS } from '../ops/users-options.ts';
import { callAccounts } from '../users-cli/identity-link.ts';
import { mustFindUser } from '../users-cli/must-find-user.ts';
import { abortOnSignal } from './interruption.ts';
import { readUsersServer } from './users-server.ts';

/** `hearth users disable`: signs somebody out everywhere and lets them in no more, until `--undo`. */
export async function runUsersDisable(
  flags: FlagsOf<typeof USERS_DISABLE_OPTIONS>,
  who: string,
): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const disableUser = !readOption(USERS_DISABLE_OPTIONS.undo, flags.undo);
  const { localId } = await mustFindUser(server, who);
  await callAccounts(server, 'POST', ':update', { localId, disableUser });
  const state = disableUser ? 'disabled, and signed out everywhere' : 'enabled';
  process.stdout.write(`${String(localId)} is ${state}.\n`);
}
