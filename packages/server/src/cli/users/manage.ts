import { text } from 'node:stream/consumers';
import { type FileUser, objectsOf } from '@hearth/core/api/account-file.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { abortOnSignal } from '../signals.ts';
import { type AccountsServer, callAccounts, readUsersServer } from './accounts-client.ts';
import { USERS_CREATE_OPTIONS, USERS_DISABLE_OPTIONS, type USERS_OPTIONS } from './options.ts';

/**
 * Runs `hearth users create`: creates an account on a running server and prints its user ID. Rejects with a
 * message for the user if the server rejects the account.
 */
export async function runUsersCreate(flags: FlagsOf<typeof USERS_CREATE_OPTIONS>): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const isVerified = readOption(USERS_CREATE_OPTIONS.verified, flags.verified);
  const body = {
    email: readOption(USERS_CREATE_OPTIONS.email, flags.email),
    localId: readOption(USERS_CREATE_OPTIONS.uid, flags.uid),
    displayName: readOption(USERS_CREATE_OPTIONS.name, flags.name),
    phoneNumber: readOption(USERS_CREATE_OPTIONS.phone, flags.phone),
    ...(isVerified ? { emailVerified: true } : {}),
    ...(readOption(USERS_CREATE_OPTIONS.passwordStdin, flags.passwordStdin)
      ? { password: await readPassword() }
      : {}),
  };
  const { localId } = await callAccounts(server, 'POST', '', body);
  process.stdout.write(`${String(localId)}\n`);
}

/** Reads the password from the first line of standard input. Throws a `StartFailure` if it is empty. */
async function readPassword(): Promise<string> {
  const [password = ''] = (await text(process.stdin)).split(/\r?\n/, 1);
  if (password === '') throw new StartFailure('Standard input contains no password.');
  return password;
}

/**
 * Returns the account with a user ID or an email address. Rejects with a `CommandFailure` if it does not
 * exist.
 */
export async function requireUser(server: AccountsServer, userIdOrEmail: string): Promise<FileUser> {
  const body = userIdOrEmail.includes('@')
    ? { email: [userIdOrEmail], localId: [userIdOrEmail] }
    : { localId: [userIdOrEmail] };
  const answer = await callAccounts(server, 'POST', ':lookup', body);
  const [found] = objectsOf(answer['users']);
  if (found === undefined)
    throw new CommandFailure(
      server.tenant === null
        ? `The project ${server.project} has no account ${userIdOrEmail}.`
        : `The tenant ${server.tenant} of ${server.project} has no account ${userIdOrEmail}.`,
    );
  return found;
}

/**
 * Runs `hearth users disable`: signs a user out everywhere and prevents sign-in. `--undo` enables the account
 * again.
 */
export async function runUsersDisable(
  flags: FlagsOf<typeof USERS_DISABLE_OPTIONS>,
  userIdOrEmail: string,
): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const disableUser = !readOption(USERS_DISABLE_OPTIONS.undo, flags.undo);
  const { localId } = await requireUser(server, userIdOrEmail);
  await callAccounts(server, 'POST', ':update', { localId, disableUser });
  const state = disableUser ? 'disabled, and signed out everywhere' : 'enabled';
  process.stdout.write(`${String(localId)} is ${state}.\n`);
}

/** Runs `hearth users reset`: prints a link with which the user sets a new password. Sends no email. */
export async function runUsersReset(
  flags: FlagsOf<typeof USERS_OPTIONS>,
  userIdOrEmail: string,
): Promise<void> {
  const server = readUsersServer(flags, abortOnSignal());
  const { email } = await requireUser(server, userIdOrEmail);
  if (email === undefined)
    throw new CommandFailure(`${userIdOrEmail} has no email address and therefore no password.`);
  const body = { requestType: 'PASSWORD_RESET', email, returnOobLink: true };
  const { oobLink } = await callAccounts(server, 'POST', ':sendOobCode', body);
  process.stdout.write(`${String(oobLink)}\n`);
}
