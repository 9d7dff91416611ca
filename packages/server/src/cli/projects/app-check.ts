import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { uuid } from '../../platform/random.ts';
import { PROJECT_APP_CHECK_OPTIONS } from './app-check-options.ts';
import { createProjectClient, type ProjectAnswer, type SendProjectRequest } from './client.ts';

type Flags = FlagsOf<typeof PROJECT_APP_CHECK_OPTIONS>;

const TOKEN_NAME = 'command line';

/**
 * Runs `hearth project app-check`: sets where a project requires App Check tokens and for which apps there are any, and
 * prints the settings. Rejects with a message for the user if a request fails.
 */
export async function runProjectAppCheck(flags: Flags, project: string): Promise<void> {
  const options = PROJECT_APP_CHECK_OPTIONS;
  const sendRequest = createProjectClient(flags);
  const revoked = readOption(options.revokeDebugToken, flags.revokeDebugToken);
  if (revoked !== null) await revokeToken(sendRequest, project, revoked);
  const config = await changeConfig(flags, sendRequest, project);
  const app = readOption(options.debugTokenFor, flags.debugTokenFor);
  if (app !== null) process.stdout.write(`Debug token  ${await createToken(sendRequest, project, app)}\n`);
  const apps = appsOf(config);
  const tokens = await Promise.all(apps.map((id) => listTokens(sendRequest, project, id)));
  process.stdout.write(formatConfig(config, tokens.flat()));
  if (flags.requests === true) process.stdout.write(formatRequests(await readRequests(sendRequest, project)));
}

async function changeConfig(
  flags: Flags,
  sendRequest: SendProjectRequest,
  project: string,
): Promise<ProjectAnswer> {
  const options = PROJECT_APP_CHECK_OPTIONS;
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const accounts = readOption(options.accounts, flags.accounts);
  const database = readOption(options.database, flags.database);
  const added = readOption(options.addApp, flags.addApp);
  const removed = readOption(options.removeApp, flags.removeApp);
  const before = await sendRequest('GET', path);
  const apps =
    added.length + removed.length === 0
      ? null
      : [...new Set([...appsOf(before), ...added])].filter((id) => !removed.includes(id));
  const methods = readOption(options.limitedUse, flags.limitedUse);
  const limitedUse = methods.length === 0 ? null : methods.filter((method) => method !== 'none');
  const given = Object.entries({ accounts, database, apps, limitedUse }).filter(
    ([, value]) => value !== null,
  );
  if (given.length === 0) return before;
  const mask = given.map(([name]) => `appCheckConfig.${name}`).join(',');
  return sendRequest('PATCH', `${path}?updateMask=${mask}`, { appCheckConfig: Object.fromEntries(given) });
}

function tokensPath(project: string, app: string): string {
  return `/v1/projects/${encodeURIComponent(project)}/apps/${encodeURIComponent(app)}/debugTokens`;
}

async function createToken(sendRequest: SendProjectRequest, project: string, app: string): Promise<string> {
  const token = uuid();
  await sendRequest('POST', tokensPath(project, app), { displayName: TOKEN_NAME, token });
  return token;
}

/** Removes a debug token. Its name is that of the list: the ID of the app, a slash, and the ID of the token. */
async function revokeToken(sendRequest: SendProjectRequest, project: string, name: string): Promise<void> {
  const [app, id, ...others] = name.split('/');
  if (app === undefined || id === undefined || others.length > 0)
    throw new StartFailure(
      '--revoke-debug-token needs a name as the list shows it, such as 1:1234:web:abcd/AbCd.',
    );
  await sendRequest('DELETE', `${tokensPath(project, app)}/${encodeURIComponent(id)}`);
}

async function listTokens(
  sendRequest: SendProjectRequest,
  project: string,
  app: string,
): Promise<readonly string[]> {
  const { debugTokens } = await sendRequest('GET', tokensPath(project, app));
  const tokens: readonly unknown[] = Array.isArray(debugTokens) ? debugTokens : [];
  return tokens.map((token) => {
    const { name, displayName } = Object(token);
    return `${app}/${String(name).split('/').at(-1)}  ${String(displayName)}`;
  });
}

async function readRequests(sendRequest: SendProjectRequest, project: string): Promise<readonly unknown[]> {
  const { requests } = await sendRequest(
    'GET',
    `/v1/projects/${encodeURIComponent(project)}/appCheckRequests`,
  );
  return Array.isArray(requests) ? requests : [];
}

function appsOf({ appCheckConfig }: ProjectAnswer): readonly string[] {
  const { apps } = Object(appCheckConfig);
  return Array.isArray(apps) ? apps.map(String) : [];
}

const MEANINGS: Readonly<Record<string, string>> = {
  OFF: 'tokens are ignored',
  UNENFORCED: 'requests are counted',
  ENFORCED: 'tokens are required',
};

function formatConfig(config: ProjectAnswer, tokens: readonly string[]): string {
  const { accounts, database, limitedUse } = Object(config['appCheckConfig']);
  const apps = appsOf(config);
  return [
    `Accounts     ${MEANINGS[accounts]}`,
    `Database     ${MEANINGS[database]}`,
    ...(Array.isArray(limitedUse) ? [`Limited use  ${limitedUse.join(', ')}`] : []),
    `Apps         ${apps.length === 0 ? 'none' : apps.join(', ')}`,
    ...tokens.map((token) => `  debug      ${token}`),
    '',
  ].join('\n');
}

function formatRequests(requests: readonly unknown[]): string {
  if (requests.length === 0) return 'Requests     none\n';
  const lines = requests.map((request) => {
    const { service, kind, app, count } = Object(request);
    return `  ${String(service).padEnd(9)}  ${String(kind).padEnd(8)} ${String(count).padStart(8)}  ${app}`.trimEnd();
  });
  return ['Requests', ...lines, ''].join('\n');
}
