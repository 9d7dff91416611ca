import { findText, isRecord, type JsonRecord } from '../../action/api.ts';
import { type Factor, type Outcome, type PageUser, parseFactors, type Server } from '../server.ts';

/** A passkey of the account. */
export interface OwnPasskey {
  readonly id: string;
  readonly name: string;
  readonly createdAtMs: number;
}

/** The user of the account at another provider. */
export interface OwnIdentity {
  readonly providerId: string;
  /** The name by which the user recognizes the identity; empty if the provider gave none. */
  readonly label: string;
}

/** A sign-in on a device. */
export interface OwnSession {
  readonly id: string;
  readonly device: string;
  readonly network: string;
  readonly lastUsedAtMs: number;
  /** Whether it is the session of this page. */
  readonly isCurrent: boolean;
}

/** The account of the signed-in user. */
export interface OwnAccount {
  readonly name: string;
  readonly email: string;
  /** The number with which the user signs in; empty for none. */
  readonly phone: string;
  readonly isEmailVerified: boolean;
  readonly hasPassword: boolean;
  readonly factors: readonly Factor[];
  readonly passkeys: readonly OwnPasskey[];
  readonly identities: readonly OwnIdentity[];
  readonly sessions: readonly OwnSession[];
}

/** Reads the account of a user with its sessions. */
export async function readAccount(
  server: Server,
  { idToken, sessionId }: PageUser,
): Promise<Outcome<OwnAccount>> {
  const [profile, sessions] = await Promise.all([
    server.call('/v1/accounts:lookup', { idToken }),
    server.call('/v2/accounts/sessions:list', { idToken }),
  ]);
  if (profile.kind === 'problem') return profile;
  if (sessions.kind === 'problem') return sessions;
  const [user = {}] = recordsIn(profile.value, 'users');
  return {
    kind: 'ok',
    value: { ...parseProfile(user), sessions: parseSessions(sessions.value, sessionId) },
  };
}

function parseProfile(user: JsonRecord): Omit<OwnAccount, 'sessions'> {
  return {
    name: findText(user, 'displayName') ?? '',
    email: findText(user, 'email') ?? '',
    phone: findText(user, 'phoneNumber') ?? '',
    isEmailVerified: user['emailVerified'] === true,
    hasPassword: findText(user, 'passwordHash') !== undefined,
    factors: parseFactors(user['mfaInfo']),
    passkeys: recordsIn(user, 'passkeyInfo').map((passkey) => ({
      id: findText(passkey, 'credentialId') ?? '',
      name: findText(passkey, 'name') ?? '',
      createdAtMs: Date.parse(findText(passkey, 'createdAt') ?? ''),
    })),
    identities: recordsIn(user, 'providerUserInfo')
      .map((identity) => ({
        providerId: findText(identity, 'providerId') ?? '',
        label: findText(identity, 'email') ?? findText(identity, 'displayName') ?? '',
      }))
      .filter(({ providerId }) => providerId !== 'password' && providerId !== 'phone'),
  };
}

function parseSessions(json: JsonRecord, currentId: string): readonly OwnSession[] {
  return recordsIn(json, 'sessions').map((session) => {
    const id = findText(session, 'sessionId') ?? '';
    return {
      id,
      device: describeDevice(findText(session, 'userAgent') ?? ''),
      network: findText(session, 'network') ?? '',
      lastUsedAtMs: Number(session['lastUsedAt']),
      isCurrent: id === currentId,
    };
  });
}

function recordsIn(record: JsonRecord, name: string): readonly JsonRecord[] {
  const list = record[name];
  return Array.isArray(list) ? list.filter(isRecord) : [];
}

/** Programs in the order in which their names decide: many programs also name others. */
const PROGRAMS: readonly (readonly [string, RegExp])[] = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
];
const SYSTEMS: readonly (readonly [string, RegExp])[] = [
  ['Android', /\bAndroid\b/],
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['Linux', /\bLinux\b/],
];
const MAX_DEVICE_LENGTH = 60;

/** Returns a short name of a device: the browser and the system, or else the start of what the program says of itself. */
export function describeDevice(userAgent: string): string {
  const names = [PROGRAMS, SYSTEMS].flatMap((known) => {
    const found = known.find(([, pattern]) => pattern.test(userAgent));
    return found === undefined ? [] : [found[0]];
  });
  return names.length > 0 ? names.join(' · ') : userAgent.slice(0, MAX_DEVICE_LENGTH);
}
