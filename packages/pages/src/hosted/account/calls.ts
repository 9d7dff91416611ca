import { findRecord, findText, type JsonRecord } from '../../action/api.ts';
import type { Outcome, PageUser, Server } from '../server.ts';

type Call = Promise<Outcome<JsonRecord>>;

/** Changes the name of the account. An empty name removes it. */
export function changeName(server: Server, { idToken }: PageUser, name: string): Call {
  const change = name === '' ? { deleteAttribute: ['DISPLAY_NAME'] } : { displayName: name };
  return server.call('/v1/accounts:update', { idToken, ...change });
}

/** Sends a link to a new address. The address of the account changes when the user opens it. */
export function changeEmail(server: Server, { idToken }: PageUser, newEmail: string): Call {
  const requestType = 'VERIFY_AND_CHANGE_EMAIL';
  return server.call('/v1/accounts:sendOobCode', { requestType, idToken, newEmail });
}

/** Sends a link to the address of the account, which proves that it belongs to the user. */
export function verifyEmail(server: Server, { idToken }: PageUser): Call {
  return server.call('/v1/accounts:sendOobCode', { requestType: 'VERIFY_EMAIL', idToken });
}

/** Changes the password. All sessions end; the response has the tokens of a new one. */
export function changePassword(server: Server, { idToken }: PageUser, password: string): Call {
  return server.call('/v1/accounts:update', { idToken, password, returnSecureToken: true });
}

/** The secret of a new authenticator app, in base32. */
export interface TotpSecret {
  readonly secret: string;
  /** Names the enrollment to the server. */
  readonly sessionInfo: string;
}

export async function startTotp(server: Server, { idToken }: PageUser): Promise<Outcome<TotpSecret>> {
  const outcome = await server.call('/v2/accounts/mfaEnrollment:start', { idToken, totpEnrollmentInfo: {} });
  if (outcome.kind === 'problem') return outcome;
  const info = findRecord(outcome.value, 'totpSessionInfo') ?? {};
  return {
    kind: 'ok',
    value: {
      secret: findText(info, 'sharedSecretKey') ?? '',
      sessionInfo: findText(info, 'sessionInfo') ?? '',
    },
  };
}

/** Adds the authenticator app of a secret, which the code proves. The response has the tokens of a new session. */
export function finishTotp(
  server: Server,
  { idToken }: PageUser,
  { sessionInfo }: TotpSecret,
  verificationCode: string,
): Call {
  const totpVerificationInfo = { sessionInfo, verificationCode };
  return server.call('/v2/accounts/mfaEnrollment:finalize', { idToken, totpVerificationInfo });
}

/** A code that was sent to a phone. */
export interface SentCode {
  readonly phoneNumber: string;
  /** Names the code to the server. */
  readonly sessionInfo: string;
}

/** Sends a code to a phone that becomes a second factor. */
export async function startPhone(
  server: Server,
  { idToken }: PageUser,
  phoneNumber: string,
): Promise<Outcome<SentCode>> {
  const outcome = await server.callWithChallenge(
    'mfaSmsEnrollment',
    '/v2/accounts/mfaEnrollment:start',
    (proof) => ({ idToken, phoneEnrollmentInfo: { phoneNumber, ...proof } }),
  );
  if (outcome.kind === 'problem') return outcome;
  const sessionInfo = findText(findRecord(outcome.value, 'phoneSessionInfo') ?? {}, 'sessionInfo') ?? '';
  return { kind: 'ok', value: { phoneNumber, sessionInfo } };
}

/** Adds the phone to which a code was sent. The response has the tokens of a new session. */
export function finishPhone(
  server: Server,
  { idToken }: PageUser,
  { sessionInfo }: SentCode,
  code: string,
): Call {
  const phoneVerificationInfo = { sessionInfo, code };
  return server.call('/v2/accounts/mfaEnrollment:finalize', { idToken, phoneVerificationInfo });
}

/** Removes a second factor. The response has the tokens of a new session. */
export function removeFactor(server: Server, { idToken }: PageUser, mfaEnrollmentId: string): Call {
  return server.call('/v2/accounts/mfaEnrollment:withdraw', { idToken, mfaEnrollmentId });
}

/** Returns new recovery codes. The earlier ones become invalid. */
export async function createRecoveryCodes(
  server: Server,
  { idToken }: PageUser,
): Promise<Outcome<readonly string[]>> {
  const outcome = await server.call('/v2/accounts/mfaRecoveryCodes:generate', { idToken });
  if (outcome.kind === 'problem') return outcome;
  const codes = outcome.value['recoveryCodes'];
  return { kind: 'ok', value: Array.isArray(codes) ? codes.map(String) : [] };
}

/** Removes a passkey. The response has the tokens of a new session if the old one began with the passkey. */
export function removePasskey(server: Server, { idToken }: PageUser, id: string): Call {
  return server.call('/v1/accounts:update', { idToken, deletePasskey: [id], returnSecureToken: true });
}

export function unlink(server: Server, { idToken }: PageUser, providerId: string): Call {
  return server.call('/v1/accounts:update', { idToken, deleteProvider: [providerId] });
}

export function endSession(server: Server, { idToken }: PageUser, sessionId: string): Call {
  return server.call('/v2/accounts/sessions:end', { idToken, sessionId });
}

export function endAllSessions(server: Server, { idToken }: PageUser): Call {
  return server.call('/v2/accounts/sessions:endAll', { idToken });
}

/** Returns everything that the server stores about the account. */
export function exportData(server: Server, { idToken }: PageUser): Call {
  return server.call('/v2/accounts/ownData:export', { idToken });
}

export function deleteAccount(server: Server, { idToken }: PageUser): Call {
  return server.call('/v1/accounts:delete', { idToken });
}
