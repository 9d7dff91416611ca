import { StartFailure } from '../../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../../platform/option.ts';
import { createProjectClient, type ProjectAnswer } from '../client.ts';
import { PROJECT_NATIVE_APPS_OPTIONS } from './options.ts';

/**
 * Runs `hearth project native-apps`: sets which native apps use the passkeys of a project, and prints them. Rejects with a
 * message for the user if a request fails.
 */
export async function runProjectNativeApps(
  flags: FlagsOf<typeof PROJECT_NATIVE_APPS_OPTIONS>,
  project: string,
): Promise<void> {
  const options = PROJECT_NATIVE_APPS_OPTIONS;
  const given = {
    androidPackages: readOption(options.androidApp, flags.androidApp),
    androidKeyHashes: readOption(options.androidKey, flags.androidKey),
    appleAppIds: readOption(options.appleApp, flags.appleApp),
  };
  const isNone = readOption(options.none, flags.none);
  const named = Object.entries(given).filter(([, apps]) => apps.length > 0);
  if (isNone && named.length > 0)
    throw new StartFailure('--none removes all native apps. Do not name any with it.');
  const changes = isNone ? Object.entries(given) : named;
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const mask = changes.map(([name]) => `signIn.hearth.passkeys.${name}`).join(',');
  const config =
    changes.length === 0
      ? await sendRequest('GET', path)
      : await sendRequest('PATCH', `${path}?updateMask=${mask}`, {
          signIn: { hearth: { passkeys: Object.fromEntries(changes) } },
        });
  process.stdout.write(formatApps(config));
}

function formatApps(config: ProjectAnswer): string {
  const passkeys = Object(Object(config['signIn']).hearth?.passkeys);
  const { enabled, androidPackages, androidKeyHashes, appleAppIds } = passkeys;
  const lineOf = (label: string, list: unknown): string =>
    `${label.padEnd(14)}${Array.isArray(list) && list.length > 0 ? list.join(', ') : 'none'}`;
  return [
    lineOf('Android apps', androidPackages),
    lineOf('Android keys', androidKeyHashes),
    lineOf('Apple apps', appleAppIds),
    ...(enabled === true
      ? ['Lists         /.well-known/assetlinks.json and /.well-known/apple-app-site-association']
      : ['Passkeys are off. hearth project sign-in --enable passkey switches them on.']),
    '',
  ].join('\n');
}
