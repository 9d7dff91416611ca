import { CommandFailure, StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type ProjectAnswer, type SendProjectRequest } from './client.ts';
import { RECAPTCHA_SECRET, RECAPTCHA_VERIFIER_SECRET } from './external/options.ts';
import { PROJECT_CAPTCHA_OPTIONS } from './options.ts';

/**
 * Runs `hearth project captcha`: sets which requests of apps need solved challenges, and whether reCAPTCHA replaces the
 * challenges. Prints the settings, and the durations that clients report for solving challenges. Rejects with a message
 * for the user if a request fails, or if reCAPTCHA does not accept a secret.
 */
export async function runProjectCaptcha(
  flags: FlagsOf<typeof PROJECT_CAPTCHA_OPTIONS>,
  project: string,
): Promise<void> {
  const options = PROJECT_CAPTCHA_OPTIONS;
  const emailPasswordEnforcementState = readOption(options.passwords, flags.passwords);
  const phoneEnforcementState = readOption(options.sms, flags.sms);
  const cost = readOption(options.cost, flags.cost);
  const withRecaptcha = readRecaptcha(flags);
  const mask = [
    ...(emailPasswordEnforcementState === null ? [] : ['emailPasswordEnforcementState']),
    ...(phoneEnforcementState === null ? [] : ['phoneEnforcementState']),
    ...(cost === null ? [] : ['hearth.cost']),
    ...(withRecaptcha === undefined ? [] : ['hearth.recaptcha']),
  ].map((member) => `recaptchaConfig.${member}`);
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const before =
    mask.length === 0 || withRecaptcha !== undefined ? await sendRequest('GET', path) : undefined;
  const recaptcha = withRecaptcha?.(Object(before).recaptchaConfig?.hearth?.recaptcha);
  const config =
    mask.length === 0
      ? Object(before)
      : await sendRequest('PATCH', `${path}?updateMask=${mask.join(',')}`, {
          recaptchaConfig: {
            emailPasswordEnforcementState,
            phoneEnforcementState,
            hearth: { cost, recaptcha },
          },
        });
  const { actions } = await sendRequest('GET', `/api/projects/${encodeURIComponent(project)}/challenges`);
  process.stdout.write(`${formatCaptcha(config)}${formatTimes(actions)}`);
  if (readOption(options.test, flags.test)) await testKeys(sendRequest, project);
}

/** The keys at reCAPTCHA in the configuration. */
type Keys = Readonly<Record<string, unknown>>;

/**
 * Returns a function that applies the options to the keys at reCAPTCHA; `undefined` if they change none. Throws a
 * `StartFailure` if they contradict each other.
 */
function readRecaptcha(
  flags: FlagsOf<typeof PROJECT_CAPTCHA_OPTIONS>,
): ((before: Keys | undefined) => Keys) | undefined {
  const options = PROJECT_CAPTCHA_OPTIONS;
  const siteKey = readOption(options.recaptcha, flags.recaptcha);
  const verifierSiteKey = readOption(options.recaptchaVerifier, flags.recaptchaVerifier);
  const minScore = readOption(options.lowestScore, flags.lowestScore);
  if (siteKey === 'none') {
    if (verifierSiteKey !== null || minScore !== null)
      throw new StartFailure('--recaptcha none removes the keys. Do not give other options of reCAPTCHA.');
    return () => ({});
  }
  const secret = readOption(RECAPTCHA_SECRET, undefined);
  const verifierSecret = readOption(RECAPTCHA_VERIFIER_SECRET, undefined);
  const isGiven = siteKey !== null || verifierSiteKey !== null || minScore !== null;
  if (!isGiven) return undefined;
  return (before) => {
    if (siteKey === null && before === undefined)
      throw new StartFailure('Name the site key of reCAPTCHA with --recaptcha.');
    return {
      ...before,
      ...(siteKey === null ? {} : { siteKey, ...(secret === '' ? {} : { secret }) }),
      ...(verifierSiteKey === null
        ? {}
        : { verifierSiteKey, ...(verifierSecret === '' ? {} : { verifierSecret }) }),
      ...(minScore === null ? {} : { minScore }),
    };
  };
}

/** Asks reCAPTCHA about the stored secrets, and prints the results. Rejects if one of them is not accepted. */
async function testKeys(sendRequest: SendProjectRequest, project: string): Promise<void> {
  const { tests } = await sendRequest(
    'POST',
    `/v2/projects/${encodeURIComponent(project)}/recaptcha:test`,
    {},
  );
  const results: readonly ProjectAnswer[] = Array.isArray(tests) ? tests : [];
  for (const { siteKey, state, message } of results)
    process.stdout.write(`Test of ${String(siteKey)}: ${state === 'ok' ? 'ok' : String(message)}\n`);
  if (results.some(({ state }) => state !== 'ok'))
    throw new CommandFailure('reCAPTCHA did not accept a secret. Requests that need a token are rejected.');
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
    ...formatKeys(hearth?.recaptcha),
    '',
  ].join('\n');
}

function formatKeys(recaptcha: Keys | undefined): readonly string[] {
  if (recaptcha === undefined) return [];
  const { siteKey, verifierSiteKey, minScore } = recaptcha;
  const verifier = verifierSiteKey === undefined ? '' : `, ${String(verifierSiteKey)} for RecaptchaVerifier`;
  return [`reCAPTCHA      ${String(siteKey)}, scores from ${String(minScore)}${verifier}`];
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
