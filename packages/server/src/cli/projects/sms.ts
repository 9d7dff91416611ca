import { StartFailure } from '../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../platform/option.ts';
import { createProjectClient, type ProjectAnswer } from './client.ts';
import { PROJECT_SMS_OPTIONS, SMS_SECRET } from './options.ts';

const HEARTH = 'notification.sendSms.hearth';

/**
 * Runs `hearth project sms`: sets the service that sends text messages of a project and the purposes of the messages,
 * and prints the settings. Rejects with a message for the user if a request fails.
 */
export async function runProjectSms(
  flags: FlagsOf<typeof PROJECT_SMS_OPTIONS>,
  project: string,
): Promise<void> {
  const changes = changesOf(flags);
  const sendRequest = createProjectClient(flags);
  const path = `/v2/projects/${encodeURIComponent(project)}/config`;
  const config =
    changes.length === 0
      ? await sendRequest('GET', path)
      : await sendRequest(
          'PATCH',
          `${path}?updateMask=${changes.map(([name]) => name).join(',')}`,
          changes.reduce<object>((json, [name, value]) => withValueAt(json, name.split('.'), value), {}),
        );
  const messages = `/api/projects/${encodeURIComponent(project)}/sms`;
  const resumed = readOption(PROJECT_SMS_OPTIONS.resume, flags.resume);
  if (resumed !== null) await sendRequest('POST', `${messages}/resume`, { country: resumed });
  const { countries } = await sendRequest('GET', messages);
  process.stdout.write(`${formatSms(config)}${formatCountries(countries)}`);
}

type Change = readonly [name: string, value: unknown];

/** Returns the members of the configuration that the options set, by their paths. */
function changesOf(flags: FlagsOf<typeof PROJECT_SMS_OPTIONS>): readonly Change[] {
  const options = PROJECT_SMS_OPTIONS;
  const countries = readOption(options.country, flags.country);
  const uses = readOption(options.use, flags.use);
  const driver = driverOf(flags);
  const isUnproven = readOption(options.unproven, flags.unproven);
  const voip = readOption(options.voip, flags.voip);
  const spending = spendingOf(flags);
  return [
    ...(voip === null ? [] : [[`${HEARTH}.rejectsVoip`, voip === 'reject'] as const]),
    ...(spending === undefined ? [] : [[`${HEARTH}.spending`, spending] as const]),
    ...(driver === undefined ? [] : [[`${HEARTH}.driver`, driver] as const]),
    ...(isUnproven ? [[`${HEARTH}.appProof`, 'THROTTLED'] as const] : []),
    ...(countries.length === 0
      ? []
      : [['smsRegionConfig', { allowlistOnly: { allowedRegions: countries } }] as const]),
    ...(uses.includes('sign-in') ? [['signIn.phoneNumber.enabled', true] as const] : []),
    ...(uses.includes('second-factor')
      ? [['mfa.state', 'ENABLED'] as const, ['mfa.enabledProviders', ['PHONE_SMS']] as const]
      : []),
  ];
}

/** Returns the limit of what the project spends that the options name, or `undefined` if they name none. */
function spendingOf(flags: FlagsOf<typeof PROJECT_SMS_OPTIONS>): object | undefined {
  const amount = readOption(PROJECT_SMS_OPTIONS.spend, flags.spend);
  const prices = readOption(PROJECT_SMS_OPTIONS.price, flags.price);
  if (amount === null) {
    if (prices.length > 0) throw new StartFailure('--price needs --spend, the amount for a day.');
    return undefined;
  }
  const perDay = parseAmount(amount, '--spend');
  if (perDay === 0) return {};
  const entries = prices.map((text) => {
    const [, country, price] = /^(default|[A-Z]{2})=(.*)$/.exec(text) ?? [];
    if (country === undefined || price === undefined)
      throw new StartFailure(`--price must be a country and an amount, such as DE=0.08, not "${text}".`);
    return [country, parseAmount(price, '--price')] as const;
  });
  return { perDay, prices: Object.fromEntries(entries) };
}

function parseAmount(text: string, name: string): number {
  if (!/^\d{1,7}(?:\.\d{1,6})?$/.test(text))
    throw new StartFailure(`${name} must be an amount such as 20 or 0.08.`);
  return Number(text);
}

/** Returns the driver that the options name, or `undefined` if they name none. */
function driverOf(flags: FlagsOf<typeof PROJECT_SMS_OPTIONS>): object | undefined {
  const options = PROJECT_SMS_OPTIONS;
  const service = readOption(options.service, flags.service);
  const account = readOption(options.account, flags.account);
  const from = readOption(options.from, flags.from);
  if (service === null) {
    if (account !== null || from !== null)
      throw new StartFailure('--account and --from need --service, which says whose account it is.');
    return undefined;
  }
  if (service === 'none') return {};
  const secret = readOption(SMS_SECRET, undefined);
  if (/^https?:/.test(service)) return { type: 'WEBHOOK', url: service, secret };
  if (service === 'twilio') return { type: 'TWILIO', accountSid: account ?? '', from: from ?? '', secret };
  if (service === 'vonage') return { type: 'VONAGE', apiKey: account ?? '', from: from ?? '', secret };
  throw new StartFailure('--service must be twilio, vonage, none, or the https address of a webhook.');
}

function withValueAt(json: unknown, [name, ...rest]: readonly string[], value: unknown): object {
  if (name === undefined) throw new Error('Bug: a path without a name.');
  const object = Object(json);
  return { ...object, [name]: rest.length === 0 ? value : withValueAt(object[name], rest, value) };
}

function formatSms(config: ProjectAnswer): string {
  const { signIn, mfa, notification, smsRegionConfig } = Object(config);
  const { driver, appProof, perDay, spending, rejectsVoip } = Object(notification?.sendSms?.hearth);
  const regions = smsRegionConfig?.allowlistOnly?.allowedRegions;
  const uses = [
    ...(signIn?.phoneNumber?.enabled === true ? ['sign-in'] : []),
    ...(mfa?.state !== 'DISABLED' && mfa?.enabledProviders?.includes('PHONE_SMS') === true
      ? ['second factor']
      : []),
  ];
  const target = driver?.url ?? driver?.accountSid ?? driver?.apiKey ?? '';
  return [
    `Service    ${driver === undefined ? 'none' : `${String(driver.type).toLowerCase()} ${target}`.trim()}`,
    `Used for   ${uses.join(', ') || 'nothing'}`,
    `Countries  ${countriesText(regions, smsRegionConfig)}`,
    `App proof  ${appProof === 'THROTTLED' ? 'not required, within a tenth of the budgets' : 'required'}`,
    `A day      ${String(perDay)} messages at most${spending === undefined ? '' : `, for ${String(spending.perDay)} at most`}`,
    ...(rejectsVoip === true ? ['VoIP       numbers of internet telephony get no messages'] : []),
    '',
  ].join('\n');
}

function countriesText(allowed: unknown, regionConfig: unknown): string {
  if (Array.isArray(allowed)) return allowed.join(', ') || 'none';
  const except: unknown = Object(Object(regionConfig).allowByDefault).disallowedRegions;
  return Array.isArray(except) && except.length > 0 ? `all except ${except.join(', ')}` : 'all';
}

/** Returns the statistics of the countries, one line each. */
function formatCountries(countries: unknown): string {
  if (!Array.isArray(countries) || countries.length === 0) return '';
  const lines = countries.map((row: unknown) => {
    const { country, accepted, delivered, failed, used, pausedAtMs } = Object(row);
    const name = String(country ?? 'no country').padEnd(10);
    const pause =
      typeof pausedAtMs === 'number' ? `, paused since ${new Date(pausedAtMs).toISOString()}` : '';
    return `${name} ${String(accepted)} accepted, ${String(delivered)} delivered, ${String(failed)} failed, ${String(used)} used${pause}`;
  });
  return `\nMessages of the last 24 hours\n${lines.join('\n')}\n`;
}
