import { readFile } from 'node:fs/promises';
import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type ProjectAnswer } from './client.ts';
import { PROJECT_LOOK_OPTIONS } from './look-options.ts';

/**
 * Runs `hearth project look`: sets the name, the colors, the corners and the logo of the hosted pages and emails of a project, and prints
 * them. Rejects with a message for the user if a file cannot be read or a request fails.
 */
export async function runProjectLook(
  flags: FlagsOf<typeof PROJECT_LOOK_OPTIONS>,
  project: string,
): Promise<void> {
  const options = PROJECT_LOOK_OPTIONS;
  const logo = readOption(options.logo, flags.logo);
  const values: Readonly<Record<string, string | null>> = {
    'notification.sendEmail.hearth.appName': readOption(options.name, flags.name),
    'hearth.theme.lightColor': readOption(options.lightColor, flags.lightColor),
    'hearth.theme.darkColor': readOption(options.darkColor, flags.darkColor),
    'hearth.theme.cornerRadius': readOption(options.cornerRadius, flags.cornerRadius),
    'hearth.theme.logo': logo === null || logo === '' ? logo : await readLogo(logo),
  };
  const mask = Object.keys(values).filter((path) => values[path] !== null);
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const config =
    mask.length === 0
      ? await sendRequest('GET', path)
      : await sendRequest('PATCH', `${path}?updateMask=${mask.join(',')}`, {
          notification: {
            sendEmail: { hearth: { appName: values['notification.sendEmail.hearth.appName'] } },
          },
          hearth: {
            theme: {
              lightColor: values['hearth.theme.lightColor'],
              darkColor: values['hearth.theme.darkColor'],
              cornerRadius: numberOf(values['hearth.theme.cornerRadius']),
              logo: values['hearth.theme.logo'],
            },
          },
        });
  process.stdout.write(formatLook(config, project));
}

/** Returns a number as the server expects it, and other texts unchanged, so that the server explains them. */
function numberOf(text: string | null | undefined): unknown {
  return text !== null && text !== undefined && /^\d{1,3}$/.test(text) ? Number(text) : text;
}

/** Returns the content of a file as a `data:` URL. The server checks that it is an image. */
async function readLogo(file: string): Promise<string> {
  try {
    return `data:image/png;base64,${(await readFile(file)).toString('base64')}`;
  } catch (cause) {
    throw new StartFailure(`--logo ${file} cannot be read.`, cause);
  }
}

function formatLook(config: ProjectAnswer, project: string): string {
  const { notification, hearth } = Object(config);
  const { lightColor, darkColor, cornerRadius, logo } = Object(hearth?.theme);
  return [
    `Name         ${String(notification?.sendEmail?.hearth?.appName ?? project)}`,
    `Light color  ${String(lightColor ?? 'that of Hearth')}`,
    `Dark color   ${String(darkColor ?? 'that of Hearth')}`,
    `Corners      ${cornerRadius === undefined ? 'those of Hearth' : `${cornerRadius} pixels`}`,
    `Logo         ${logo === undefined ? 'none' : `${Buffer.from(String(logo).split(',')[1] ?? '', 'base64').length} bytes`}`,
    '',
  ].join('\n');
}
