import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type SendProjectRequest } from './client.ts';
import { PROJECT_ROLES_OPTIONS } from './options.ts';

/**
 * Runs `hearth project roles`: lists the roles of the service accounts and members of a project, or changes those of
 * one of them. Rejects with a message for the user if a request fails.
 */
export async function runProjectRoles(
  flags: FlagsOf<typeof PROJECT_ROLES_OPTIONS>,
  project: string,
): Promise<void> {
  const account = readOption(PROJECT_ROLES_OPTIONS.serviceAccount, flags.serviceAccount);
  const member = readOption(PROJECT_ROLES_OPTIONS.member, flags.member);
  const roles = readOption(PROJECT_ROLES_OPTIONS.role, flags.role);
  const targets = [account, member].filter((target) => target !== null);
  if (targets.length > 1)
    throw new StartFailure('--service-account and --member cannot be combined. Give one of them.');
  if ((targets.length === 1) !== roles.length > 0)
    throw new StartFailure(
      'To change roles, give --role together with --service-account or --member. Without any of them, the command lists all roles.',
    );
  const sendRequest = createProjectClient(flags);
  const path = `/api/projects/${encodeURIComponent(project)}`;
  if (account !== null) await changeServiceAccount(sendRequest, path, account, roles);
  else if (member !== null) await changeMember(sendRequest, path, member, roles);
  else await listRoles(sendRequest, path);
}

async function changeServiceAccount(
  sendRequest: SendProjectRequest,
  path: string,
  name: string,
  roles: readonly string[],
): Promise<void> {
  await sendRequest('PATCH', `${path}/service-accounts/${encodeURIComponent(name)}`, { roles });
  process.stdout.write(`${name} now has the roles ${roles.join(', ')}, with all of its keys.\n`);
}

async function changeMember(
  sendRequest: SendProjectRequest,
  path: string,
  email: string,
  [role, ...others]: readonly string[],
): Promise<void> {
  if (others.length > 0) throw new StartFailure('A member has one role. Give --role once.');
  const found = (await listMembers(sendRequest, path)).find(
    (one) => Object(one).email === email.toLowerCase(),
  );
  if (found === undefined)
    throw new CommandFailure(`No member has the address ${email}. Owners add members in the console.`);
  await sendRequest('PATCH', `${path}/members/${encodeURIComponent(Object(found).uid)}`, { role });
  process.stdout.write(`${email} is now ${role}.\n`);
}

async function listMembers(sendRequest: SendProjectRequest, path: string): Promise<readonly unknown[]> {
  const { members } = await sendRequest('GET', `${path}/members`);
  return Array.isArray(members) ? members : [];
}

async function listRoles(sendRequest: SendProjectRequest, path: string): Promise<void> {
  const { serviceAccounts } = await sendRequest('GET', `${path}/service-accounts`);
  const accounts = Array.isArray(serviceAccounts) ? serviceAccounts : [];
  for (const { email, roles } of accounts)
    process.stdout.write(`Service account  ${email} (${roles.join(', ')})\n`);
  for (const member of await listMembers(sendRequest, path)) {
    const { email, uid, role, hasSecondFactor } = Object(member);
    const note = hasSecondFactor === true ? '' : '; no second factor yet';
    process.stdout.write(`Member           ${email ?? uid} (${role}${note})\n`);
  }
}
