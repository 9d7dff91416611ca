import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure } from '../ops/command-failure.ts';
import { type FlagsOf, readOption, type ValuesOf } from '../ops/option.ts';
import { PROJECT_KEYS_OPTIONS } from '../ops/project-options.ts';
import { StartFailure } from '../ops/start-failure.ts';
import { type AskProjects, openProjectServer } from './project-server.ts';

type KeyOptions = Pick<
  ValuesOf<typeof PROJECT_KEYS_OPTIONS>,
  'new' | 'revoke' | 'serviceAccount' | 'role' | 'out'
>;

const OWNER_ONLY = 0o600;

/** `hearth project keys`: lists, makes and takes back what the programs of a project show. Rejects with a sentence when it cannot. */
export async function runProjectKeys(
  flags: FlagsOf<typeof PROJECT_KEYS_OPTIONS>,
  project: string,
): Promise<void> {
  const options = readKeyOptions(flags);
  const ask = openProjectServer(flags);
  const place = `/${encodeURIComponent(project)}`;
  const { serviceAccount, revoke } = options;
  if (serviceAccount !== null && revoke !== null) await revokeKeyFile(ask, place, serviceAccount, revoke);
  else if (serviceAccount !== null) await writeKeyFile(ask, place, { ...options, project, serviceAccount });
  else if (revoke !== null) await revokeApiKey(ask, place, revoke);
  else if (options.new) process.stdout.write(`${String((await ask('POST', `${place}/keys`))['apiKey'])}\n`);
  else await listKeys(ask, place);
}

function readKeyOptions(flags: FlagsOf<typeof PROJECT_KEYS_OPTIONS>): KeyOptions {
  const options = {
    new: readOption(PROJECT_KEYS_OPTIONS.new, flags.new),
    revoke: readOption(PROJECT_KEYS_OPTIONS.revoke, flags.revoke),
    serviceAccount: readOption(PROJECT_KEYS_OPTIONS.serviceAccount, flags.serviceAccount),
    role: readOption(PROJECT_KEYS_OPTIONS.role, flags.role),
    out: readOption(PROJECT_KEYS_OPTIONS.out, flags.out),
  };
  if (options.new && (options.revoke !== null || options.serviceAccount !== null))
    throw new StartFailure('--new makes an API key: it goes with neither --revoke nor --service-account.');
  return options;
}

async function listKeys(ask: AskProjects, place: string): Promise<void> {
  const { keys } = await ask('GET', `${place}/keys`);
  const { serviceAccounts } = await ask('GET', `${place}/service-accounts`);
  if (Array.isArray(keys))
    for (const { apiKey } of keys) process.stdout.write(`API key          ${apiKey}\n`);
  if (!Array.isArray(serviceAccounts)) return;
  for (const account of serviceAccounts) {
    process.stdout.write(`Service account  ${account.email} (${account.roles.join(', ')})\n`);
    for (const { keyId } of account.keys) process.stdout.write(`  Key            ${keyId}\n`);
  }
}

async function revokeApiKey(ask: AskProjects, place: string, apiKey: string): Promise<void> {
  await ask('DELETE', `${place}/keys/${encodeURIComponent(apiKey)}`);
  process.stdout.write(`Revoked ${apiKey}.\n`);
}

async function revokeKeyFile(ask: AskProjects, place: string, name: string, keyId: string): Promise<void> {
  await ask('DELETE', `${accountKeys(place, name)}/${encodeURIComponent(keyId)}`);
  process.stdout.write(`Revoked the key ${keyId} of ${name}.\n`);
}

/** The file must be new. A key that could not be written is taken back. */
async function writeKeyFile(
  ask: AskProjects,
  place: string,
  {
    project,
    serviceAccount,
    role,
    out,
  }: KeyOptions & { readonly project: string; readonly serviceAccount: string },
): Promise<void> {
  const path = resolve(out ?? `${serviceAccount}@${project}.json`);
  const keyFile = await ask(
    'POST',
    accountKeys(place, serviceAccount),
    role.length === 0 ? {} : { roles: role },
  );
  try {
    writeFileSync(path, `${JSON.stringify(keyFile, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  } catch (cause) {
    await ask('DELETE', `${accountKeys(place, serviceAccount)}/${String(keyFile['private_key_id'])}`);
    throw new CommandFailure(
      `${path} could not be written, so no key was made: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
  process.stdout.write(`Wrote ${path}. Whoever has it, is ${String(keyFile['client_email'])}.\n`);
}

function accountKeys(place: string, name: string): string {
  return `${place}/service-accounts/${encodeURIComponent(name)}/keys`;
}
