import { text } from 'node:stream/consumers';
import { type FlagsOf, readOption } from '../ops/option.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { USERS_CREATE_OPTIONS } from '../ops/users-options.ts';
import { callAccounts } from '../users-cli/identity-link.ts';
import { abortOnSignal } from './interruption.ts';
import { readUsersServer } from './users-server.ts';

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
  if (password === '') throw new StartFailure('There is no password on standard input.');
  return password;
}
