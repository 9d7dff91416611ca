import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type ProjectAnswer } from './client.ts';
import { PROJECT_CAPTCHA_OPTIONS } from './options.ts';

/**
 * Runs `hearth project captcha`: sets for which requests of apps a project requires solved challenges, and prints the
 * settings and how long clients took. Rejects with a message for the user if a request fails.
 */
export async function runProjectCaptcha(
  flags: FlagsOf<typeof PROJECT_CAPTCHA_OPTIONS>,
  project: string,
): Promise<void> {
  const options = PROJECT_CAPTCHA_OPTIONS;
  const emailPasswordEnforcementState = readOption(options.passwords, flags.passwords);
  const phoneEnforcementState = readOption(options.sms, flags.sms);
  const cost = readOption(options.cost, flags.cost);
  const mask = [
    ...(emailPasswordEnforcementState === null ? [] : ['emailPasswordEnforcementState']),
    ...(phoneEnforcementState === null ? [] : ['phoneEnforcementState']),
    ...(cost === null ? [] : ['hearth.cost']),
  ].map((member) => `recaptchaConfig.${member}`);
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const config =
    mask.length === 0
      ? await sendRequest('GET', path)
      : await sendRequest('PATCH', `${path}?updateMask=${mask.join(',')}`, {
          recaptchaConfig: { emailPasswordEnforcementState, phoneEnforcementState, hearth: { cost } },
        });
  const { actions } = await sendRequest('GET', `/api/projects/${encodeURIComponent(project)}/challenges`);
  process.stdout.write(`${formatCaptcha(config)}${formatTimes(actions)}`);
}

const MEANINGS: Readonly<Record<string, string>> = {
  OFF: 'not required',
  AUDIT: 'not required, and requests without one are recorded in the audit log',
  ENFORCE: 'required',
};

function formatCaptcha(config: ProjectAnswer): string {
  const { recaptchaConfig, notification } = Object(config);
  const { emailPasswordEnforcementState, phoneEnforcementState, hearth } = Object(recaptchaConfig);
  const isRequiredBySms = notification?.sendSms?.hearth?.appProof === 'REQUIRE';
  return [
    `Passwords      ${MEANINGS[emailPasswordEnforcementState]}`,
    `Text messages  ${isRequiredBySms ? MEANINGS['ENFORCE'] : MEANINGS[phoneEnforcementState]}`,
    `Cost           ${String(hearth?.cost)} rounds`,
    '',
  ].join('\n');
}

/** Returns the median times of the actions, one line each. */
function formatTimes(actions: unknown): string {
  if (!Array.isArray(actions) || actions.length === 0) return '';
  const lines = actions.map((row: unknown) => {
    const { action, reports, medianMs } = Object(row);
    return `${String(action).padEnd(20)} ${String(medianMs)} ms in ${String(reports)} reports`;
  });
  return `\nMedian times that clients report\n${lines.join('\n')}\n`;
}
