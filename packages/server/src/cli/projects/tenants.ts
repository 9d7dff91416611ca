import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type ProjectAnswer, type SendProjectRequest } from './client.ts';
import { PROJECT_TENANTS_OPTIONS, TENANT_METHODS } from './tenant-options.ts';

type Flags = FlagsOf<typeof PROJECT_TENANTS_OPTIONS>;

const PAGE_SIZE = 1_000;
const METHODS = Object.entries(TENANT_METHODS);

/**
 * Runs `hearth project tenants`: creates, changes or deletes a tenant of a project, and prints all of them. Rejects with a
 * message for the user if a request fails.
 */
export async function runProjectTenants(flags: Flags, project: string): Promise<void> {
  const options = PROJECT_TENANTS_OPTIONS;
  const displayName = readOption(options.create, flags.create);
  const named = readOption(options.tenant, flags.tenant);
  const deleted = readOption(options.delete, flags.delete);
  const settings = settingsOf(flags);
  const changes = Object.keys(settings).length > 0;
  if (displayName !== null && named !== null) throw new StartFailure('Use either --create or --tenant.');
  if (changes && displayName === null && named === null)
    throw new StartFailure('Name the tenant with --tenant, or create one with --create.');
  if (!changes && named !== null) throw new StartFailure('--tenant needs --enable or --disable.');
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/tenants`;
  if (displayName !== null) await sendRequest('POST', path, { displayName, ...settings });
  if (named !== null) await changeTenant(sendRequest, path, named, settings);
  if (deleted !== null) await sendRequest('DELETE', `${path}/${encodeURIComponent(deleted)}`);
  process.stdout.write(formatTenants(await listTenants(sendRequest, path)));
}

/** Returns the members of a tenant's settings that the options set. */
function settingsOf(flags: Flags): Readonly<Record<string, boolean>> {
  const enabled = readOption(PROJECT_TENANTS_OPTIONS.enable, flags.enable);
  const disabled = readOption(PROJECT_TENANTS_OPTIONS.disable, flags.disable);
  const both = enabled.find((method) => disabled.includes(method));
  if (both !== undefined) throw new StartFailure(`--enable and --disable both name ${both}.`);
  return Object.fromEntries(
    METHODS.filter(([method]) => enabled.includes(method) || disabled.includes(method)).map(
      ([method, member]) => [member, enabled.includes(method)],
    ),
  );
}

async function changeTenant(
  sendRequest: SendProjectRequest,
  path: string,
  id: string,
  settings: Readonly<Record<string, boolean>>,
): Promise<void> {
  const mask = Object.keys(settings).join(',');
  await sendRequest('PATCH', `${path}/${encodeURIComponent(id)}?updateMask=${mask}`, settings);
}

async function listTenants(sendRequest: SendProjectRequest, path: string): Promise<readonly ProjectAnswer[]> {
  const tenants: ProjectAnswer[] = [];
  let pageToken = '';
  do {
    const more = pageToken === '' ? '' : `&pageToken=${encodeURIComponent(pageToken)}`;
    const page = await sendRequest('GET', `${path}?pageSize=${PAGE_SIZE}${more}`);
    const { nextPageToken } = page;
    if (Array.isArray(page['tenants'])) tenants.push(...page['tenants']);
    pageToken = typeof nextPageToken === 'string' ? nextPageToken : '';
  } while (pageToken !== '');
  return tenants;
}

function formatTenants(tenants: readonly ProjectAnswer[]): string {
  if (tenants.length === 0) return 'The project has no tenants.\n';
  const rows = tenants.map((tenant) => {
    const { name, displayName, disableAuth } = tenant;
    const methods = METHODS.filter(([, member]) => tenant[member] === true).map(([method]) => method);
    const shown =
      disableAuth === true ? 'disabled' : methods.length === 0 ? 'no method is on' : methods.join(', ');
    return [String(name).split('/').at(-1) ?? '', String(displayName ?? ''), shown] as const;
  });
  const widthOf = (column: 0 | 1): number => Math.max(...rows.map((row) => row[column].length));
  const [ids, names] = [widthOf(0), widthOf(1)];
  return rows.map(([id, name, shown]) => `${id.padEnd(ids)}  ${name.padEnd(names)}  ${shown}\n`).join('');
}
