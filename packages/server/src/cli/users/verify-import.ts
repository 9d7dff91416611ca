import { resolve } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { type FileUser, toRequest } from '@hearth/core/api/account-file.ts';
import type { HashParameterSets } from '../../auth/accounts/account-file.ts';
import {
  EMULATOR_PARAMETERS,
  ImportProblem,
  isFakeHash,
  parseImportedPassword,
} from '../../auth/accounts/imported-password.ts';
import type { JsonObject } from '../../auth/fields.ts';
import { Fields } from '../../auth/fields.ts';
import { DEFAULT_ARGON2_COST } from '../../auth/passwords/argon2.ts';
import {
  checkHashCost,
  type HashParameters,
  HashParametersError,
  parseHashParameters,
} from '../../auth/passwords/hash-parameters.ts';
import { PasswordHasher } from '../../auth/passwords/hasher.ts';
import { TaskThreads } from '../../auth/passwords/task-threads.ts';
import { elapsedMs } from '../../platform/clock.ts';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { randomBytes } from '../../platform/random.ts';
import { MANY_CLIENTS, ResourcePool } from '../../platform/resource-pool.ts';
import { SourceFile } from '../transfer/source-file.ts';
import { readUserFormat } from './accounts-client.ts';
import { readHashParameterSets, readHashParameters } from './hash-flags.ts';
import { readUsers } from './import.ts';
import { SAMPLE_PASSWORD, USERS_VERIFY_IMPORT_OPTIONS } from './options.ts';

export interface Sample {
  readonly source: SourceFile;
  readonly email: string;
  readonly password: string;
  /** The hash parameters of accounts that name none; `undefined` if not given. */
  readonly parameters: JsonObject | undefined;
  readonly sets: HashParameterSets;
}

export interface SampleResult {
  readonly isMatch: boolean;
  /** A flag with which the password would match, if another order of salt and password is the reason. */
  readonly suggestedFlag: string | undefined;
}

/**
 * Returns whether a known password matches the hash in an account file. Rejects with a `CommandFailure` if the
 * account cannot be found or its hash cannot be imported.
 */
export async function verifySample({ source, email, password, ...given }: Sample): Promise<SampleResult> {
  const user = await requireUser(source, email);
  const parameters = requireParameters(user, given);
  const isMatchWith = (tried: HashParameters): Promise<boolean> => verify(user, email, password, tried);
  if (await isMatchWith(parameters)) return { isMatch: true, suggestedFlag: undefined };
  if (!('order' in parameters)) return { isMatch: false, suggestedFlag: undefined };
  const order = parameters.order === 'salt-first' ? 'password-first' : 'salt-first';
  const isOrderWrong = await isMatchWith({ ...parameters, order });
  const name = order === 'salt-first' ? 'SALT_FIRST' : 'PASSWORD_FIRST';
  return { isMatch: false, suggestedFlag: isOrderWrong ? `--hash-input-order ${name}` : undefined };
}

async function requireUser(source: SourceFile, email: string): Promise<FileUser> {
  for await (const user of readUsers(source))
    if (String(user['email'] ?? '').toLowerCase() === email.toLowerCase()) return user;
  throw new CommandFailure(`${source.path} has no account with the email address ${email}.`);
}

function requireParameters(
  user: FileUser,
  { parameters, sets }: Pick<Sample, 'parameters' | 'sets'>,
): HashParameters {
  if (isFakeHash(String(user['passwordHash']))) return EMULATOR_PARAMETERS;
  const json = sets[String(user['hashParametersId'] ?? '')] ?? parameters;
  if (json === undefined) throw new StartFailure('Specify the hash algorithm with --hash-algo.');
  try {
    const parsed = parseHashParameters(json);
    const problem = checkHashCost(parsed);
    if (problem === undefined) return parsed;
    throw new CommandFailure(problem);
  } catch (cause) {
    if (!(cause instanceof HashParametersError)) throw cause;
    throw new CommandFailure(cause.message, cause);
  }
}

async function verify(
  user: FileUser,
  email: string,
  password: string,
  parameters: HashParameters,
): Promise<boolean> {
  const hash = parseHash(user, parameters);
  if (hash === null) throw new CommandFailure(`The account ${email} has no password hash in the file.`);
  const cost = DEFAULT_ARGON2_COST;
  const pool = new ResourcePool({ total: 1, reserve: 0, ofNetwork: 1, idleMs: null }, elapsedMs);
  const places = { 'sign-in': pool, foreign: pool, 'new-password': pool, challenge: pool };
  await using threads = new TaskThreads();
  const hasher = new PasswordHasher({ cost, threads, concurrency: 1, places, randomBytes, elapsedMs });
  return (await hasher.verify(password, hash, MANY_CLIENTS)).isMatch;
}

function parseHash(user: FileUser, parameters: HashParameters): ReturnType<typeof parseImportedPassword> {
  try {
    return parseImportedPassword(new Fields(toRequest(user)), { id: '', parameters });
  } catch (cause) {
    if (!(cause instanceof ImportProblem)) throw cause;
    throw new CommandFailure(cause.message, cause);
  }
}

/**
 * Runs `hearth users verify-import`: compares one known password with its hash in an account file, without a
 * server. Rejects with a message for the user if they do not match.
 */
export async function runUsersVerifyImport(
  flags: FlagsOf<typeof USERS_VERIFY_IMPORT_OPTIONS>,
  file: string,
): Promise<void> {
  const path = resolve(file);
  readUserFormat(path);
  const source = new SourceFile(path);
  const email = readOption(USERS_VERIFY_IMPORT_OPTIONS.email, flags.email);
  if (email === null) throw new StartFailure('Specify an account whose password you know with --email.');
  const parameters = readHashParameters(flags);
  const sets = readHashParameterSets(flags, path);
  const password = readOption(SAMPLE_PASSWORD, undefined) ?? (await readPassword(email));
  const { isMatch, suggestedFlag } = await verifySample({ source, email, password, parameters, sets });
  if (!isMatch)
    throw new CommandFailure(
      `The password does not match the hash of ${email}. ${
        suggestedFlag === undefined
          ? 'Check the password and the hash parameters.'
          : `With ${suggestedFlag} it matches.`
      } With these parameters, users of the file cannot sign in after an import.`,
    );
  process.stdout.write(`The password matches the hash of ${email}. The hash parameters fit.\n`);
}

/** Exit code that a shell expects from a command that Ctrl-C ended. */
const INTERRUPTED = 130;

/** Asks for the password at a terminal, without showing it, or else reads the first line of standard input. */
async function readPassword(email: string): Promise<string> {
  const [password = ''] = process.stdin.isTTY
    ? [await askPassword(email)]
    : (await text(process.stdin)).split(/\r?\n/, 1);
  if (password === '')
    throw new StartFailure('Set HEARTH_SAMPLE_PASSWORD, or write the password to standard input.');
  return password;
}

async function askPassword(email: string): Promise<string> {
  process.stderr.write(`Password of ${email}: `);
  const output = new Writable({ write: (_chunk, _encoding, done) => done() });
  using terminal = createInterface({ input: process.stdin, output, terminal: true });
  // Without this listener, the question would wait forever after Ctrl-C.
  terminal.once('SIGINT', () => process.exit(INTERRUPTED));
  const password = await terminal.question('');
  process.stderr.write('\n');
  return password;
}
