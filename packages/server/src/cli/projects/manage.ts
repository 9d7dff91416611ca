import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption, type ValuesOf } from '../../platform/option.ts';
import { createProjectClient, type SendProjectRequest } from './client.ts';
import { PROJECT_KEYS_OPTIONS, type PROJECT_OPTIONS } from './options.ts';

/**
 * Runs `hearth project list`: prints the ids of all projects, one per line. Rejects with a message for the
 * user if a request fails.
 */
export async function runProjectList(flags: FlagsOf<typeof PROJECT_OPTIONS>): Promise<void> {
  const sendRequest = createProjectClient(flags);
  let after: unknown = '';
  do {
    const query = after === '' ? '' : `?after=${encodeURIComponent(String(after))}`;
    const { projects, next } = await sendRequest('GET', `/api/projects${query}`);
    if (Array.isArray(projects)) for (const { id } of projects) process.stdout.write(`${id}\n`);
    after = next;
  } while (typeof after === 'string');
}

type KeyOptions = Pick<
  ValuesOf<typeof PROJECT_KEYS_OPTIONS>,
  'new' | 'revoke' | 'serviceAccount' | 'role' | 'out'
>;

const OWNER_ONLY = 0o600;

/**
 * Runs `hearth project keys`: lists, creates and revokes a project's API keys and service account keys.
 * Rejects with a message for the user if a request fails.
 */
export async function runProjectKeys(
  flags: FlagsOf<typeof PROJECT_KEYS_OPTIONS>,
  project: string,
): Promise<void> {
  const options = readKeyOptions(flags);
  const sendRequest = createProjectClient(flags);
  const projectPath = `/api/projects/${encodeURIComponent(project)}`;
  const { serviceAccount, revoke } = options;
  if (serviceAccount !== null && revoke !== null)
    await revokeKeyFile(sendRequest, projectPath, serviceAccount, revoke);
  else if (serviceAccount !== null)
    await writeKeyFile(sendRequest, projectPath, { ...options, project, serviceAccount });
  else if (revoke !== null) await revokeApiKey(sendRequest, projectPath, revoke);
  else if (options.new)
    process.stdout.write(`${String((await sendRequest('POST', `${projectPath}/keys`))['apiKey'])}\n`);
  else await listKeys(sendRequest, projectPath);
}

function readKeyOptions(flags: FlagsOf<typeof PROJECT_KEYS_OPTIONS>): KeyOptions {
  const options = {
    new: readOption(PROJECT_KEYS_OPTIONS.new, flags.new),
    revoke: readOption(PROJECT_KEYS_OPTIONS.revoke, flags.revoke),
    serviceAccount: readOption(PROJECT_KEYS_OPTIONS.serviceAccount, flags.serviceAccount),
    role: readOption(PROJECT_KEYS_OPTIONS.role, flags.role),
    out: readOption(PROJECT_KEYS_OPTIONS.out, flags.out),
  };
  if (options.new && options.revoke !== null)
    throw new StartFailure('--new creates a key and cannot be combined with --revoke.');
  if (options.role.length > 0 && (options.serviceAccount === null || options.revoke !== null))
    throw new StartFailure(
      '--role is for a new key file: give --service-account with it, and omit --revoke.',
    );
  return options;
}

async function listKeys(sendRequest: SendProjectRequest, projectPath: string): Promise<void> {
  const { keys } = await sendRequest('GET', `${projectPath}/keys`);
  const { serviceAccounts } = await sendRequest('GET', `${projectPath}/service-accounts`);
  if (Array.isArray(keys))
    for (const { apiKey } of keys) process.stdout.write(`API key          ${apiKey}\n`);
  if (!Array.isArray(serviceAccounts)) return;
  for (const account of serviceAccounts) {
    process.stdout.write(`Service account  ${account.email} (${account.roles.join(', ')})\n`);
    for (const { keyId } of account.keys) process.stdout.write(`  Key            ${keyId}\n`);
  }
}

async function revokeApiKey(
  sendRequest: SendProjectRequest,
  projectPath: string,
  apiKey: string,
): Promise<void> {
  await sendRequest('DELETE', `${projectPath}/keys/${encodeURIComponent(apiKey)}`);
  process.stdout.write(`Revoked ${apiKey}.\n`);
}

async function revokeKeyFile(
  sendRequest: SendProjectRequest,
  projectPath: string,
  name: string,
  keyId: string,
): Promise<void> {
  await sendRequest('DELETE', `${accountKeys(projectPath, name)}/${encodeURIComponent(keyId)}`);
  process.stdout.write(`Revoked the key ${keyId} of ${name}.\n`);
}

/**
 * Creates a service account key and writes it to a new file. Revokes the key if the file cannot be written,
 * for example because it already exists.
 */
async function writeKeyFile(
  sendRequest: SendProjectRequest,
  projectPath: string,
  {
    project,
    serviceAccount,
    role,
    out,
  }: KeyOptions & { readonly project: string; readonly serviceAccount: string },
): Promise<void> {
  const path = resolve(out ?? `${serviceAccount}@${project}.json`);
  const keyFile = await sendRequest(
    'POST',
    accountKeys(projectPath, serviceAccount),
    role.length === 0 ? {} : { roles: role },
  );
  try {
    writeFileSync(path, `${JSON.stringify(keyFile, null, 2)}\n`, { mode: OWNER_ONLY, flag: 'wx' });
  } catch (cause) {
    await sendRequest(
      'DELETE',
      `${accountKeys(projectPath, serviceAccount)}/${String(keyFile['private_key_id'])}`,
    );
    throw new CommandFailure(
      `${path} could not be written, so no key was created: ${cause instanceof Error ? cause.message : String(cause)}`,
      cause,
    );
  }
  process.stdout.write(
    `Wrote ${path}. Anyone who has this file can act as ${String(keyFile['client_email'])}.\n`,
  );
}

function accountKeys(projectPath: string, name: string): string {
  return `${projectPath}/service-accounts/${encodeURIComponent(name)}/keys`;
}
