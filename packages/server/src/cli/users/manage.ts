import { text } from 'node:stream/consumers';
import { type FileUser, objectsOf } from '../../auth/accounts/file-account.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { abortOnSignal } from '../signals.ts';
import { callAccounts, type IdentityLink, readUsersServer } from './accounts-client.ts';
import { USERS_CREATE_OPTIONS, USERS_DISABLE_OPTIONS, type USERS_OPTIONS } from './options.ts';

/** `hearth users create`: makes an account at a running server, and prints its user id. */
export async function runUsersCreate(flags: FlagsOf<typeof USERS_CREATE_OPTIONS>): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const isVerified = readOption(USERS_CREATE_OPTIONS.verified, flags.verified);
  const asked = {
    email: readOption(USERS_CREATE_OPTIONS.email, flags.email),
    localId: readOption(USERS_CREATE_OPTIONS.uid, flags.uid),
    displayName: readOption(USERS_CREATE_OPTIONS.name, flags.name),
    phoneNumber: readOption(USERS_CREATE_OPTIONS.phone, flags.phone),
    ...(isVerified ? { emailVerified: true } : {}),
    ...(readOption(USERS_CREATE_OPTIONS.passwordStdin, flags.passwordStdin)
      ? { password: await readPassword() }
      : {}),
  };
  const { localId } = await callAccounts(server, 'POST', '', asked);
  process.stdout.write(`${String(localId)}\n`);
}

/** The first line of standard input. */
async function readPassword(): Promise<string> {
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (password === '') throw new StartFailure('Standard input contains no password.');
  return password;
}

/** The account with a name or an address. Rejects with a `CommandFailure` when there is none. */
export async function requireUser(server: IdentityLink, who: string): Promise<FileUser> {
  const asked = who.includes('@') ? { email: [who], localId: [who] } : { localId: [who] };
  const answer = await callAccounts(server, 'POST', ':lookup', asked);
  const [found] = objectsOf(answer['users']);
  if (found === undefined) throw new CommandFailure(`The project ${server.project} has no account ${who}.`);
  return found;
}

/** `hearth users disable`: signs somebody out everywhere and lets them in no more, until `--undo`. */
export async function runUsersDisable(
  flags: FlagsOf<typeof USERS_DISABLE_OPTIONS>,
  who: string,
): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const disableUser = !readOption(USERS_DISABLE_OPTIONS.undo, flags.undo);
  const { localId } = await requireUser(server, who);
  await callAccounts(server, 'POST', ':update', { localId, disableUser });
  const state = disableUser ? 'disabled, and signed out everywhere' : 'enabled';
  process.stdout.write(`${String(localId)} is ${state}.\n`);
}

/** `hearth users reset`: prints a link with which somebody chooses a new password. It sends no mail. */
export async function runUsersReset(flags: FlagsOf<typeof USERS_OPTIONS>, who: string): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const { email } = await requireUser(server, who);
  if (email === undefined) throw new CommandFailure(`${who} has no email address and therefore no password.`);
  const asked = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
  const { oobLink } = await callAccounts(server, 'POST', ':sendOobCode', asked);
  process.stdout.write(`${String(oobLink)}\n`);
}
