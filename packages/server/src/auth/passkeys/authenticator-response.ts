import { AuthApiError } from '../errors.ts';
import { Fields, isJsonObject } from '../fields.ts';
import type { VerifiedChallenge } from './challenge.ts';
import {
  MAX_CREDENTIAL_ID_BYTES,
  MAX_HANDLE_BYTES,
  MAX_PUBLIC_KEY_BYTES,
  MAX_TRANSPORTS,
  type Passkey,
} from './passkey.ts';
import { isAcceptedOrigin, type RelyingParty } from './relying-party.ts';

/** The algorithms of keys that the server accepts, the preferred one first: EdDSA, ES256 and RS256. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

/** Longest values that the server accepts, in bytes. */
const MAX_CLIENT_DATA_BYTES = 4_096;
const MAX_ATTESTATION_BYTES = 8_192;
const MAX_AUTHENTICATOR_DATA_BYTES = 4_096;
const MAX_SIGNATURE_BYTES = 1_024;
const MAX_DETAIL_LENGTH = 300;
const BASE64 = /^[\w+/-]*={0,2}$/;

/** Describes a response of an authenticator that cannot be accepted. */
export function invalidResponse(
  detail: string,
  of: { readonly uid?: string; readonly cause?: unknown } = {},
) {
  return new AuthApiError('INVALID_AUTHENTICATOR_RESPONSE', detail, of);
}

/** The parts that the responses for new and for existing passkeys share. All bytes are base64url without padding. */
interface ClientResponse {
  readonly credentialId: string;
  readonly clientDataJSON: string;
  /** From `clientDataJSON`, like `origin`. The browser writes it, and the signature covers it. */
  readonly challenge: string;
  readonly origin: string;
}

/** The response of an authenticator that has created a passkey. */
export interface RegistrationResponse extends ClientResponse {
  readonly attestationObject: string;
  readonly transports: readonly string[];
}

/** The response of an authenticator that has signed with a passkey. */
export interface AssertionResponse extends ClientResponse {
  readonly authenticatorData: string;
  readonly signature: string;
  /**
   * `null` if the authenticator does not store it. Authenticators that only serve sign-ins with a given passkey may
   * omit it.
   */
  readonly userHandle: string | null;
}

/** Reads `authenticatorRegistrationResponse`. Throws `MISSING_AUTHENTICATOR_RESPONSE` or `INVALID_CREDENTIAL_ID`. */
export function readRegistrationResponse(fields: Fields): RegistrationResponse {
  const { response, ...shared } = readShared(fields, 'authenticatorRegistrationResponse');
  const transports = (response.texts('transports') ?? []).filter((name) => /^[a-z-]{1,20}$/.test(name));
  return {
    ...shared,
    attestationObject: requireBytes(response, 'attestationObject', MAX_ATTESTATION_BYTES),
    transports: [...new Set(transports)].slice(0, MAX_TRANSPORTS),
  };
}

/** Reads `authenticatorAuthenticationResponse`. Throws like `readRegistrationResponse`. */
export function readAssertionResponse(fields: Fields): AssertionResponse {
  const { response, ...shared } = readShared(fields, 'authenticatorAuthenticationResponse');
  return {
    ...shared,
    authenticatorData: requireBytes(response, 'authenticatorData', MAX_AUTHENTICATOR_DATA_BYTES),
    signature: requireBytes(response, 'signature', MAX_SIGNATURE_BYTES),
    userHandle:
      response.filled('userHandle') === undefined
        ? null
        : requireBytes(response, 'userHandle', MAX_HANDLE_BYTES),
  };
}

function readShared(fields: Fields, name: string): ClientResponse & { readonly response: Fields } {
  const given = fields.object(name);
  const response = given?.object('response');
  if (given === undefined || response === undefined) throw new AuthApiError('MISSING_AUTHENTICATOR_RESPONSE');
  const id = given.filled('id') ?? given.filled('rawId');
  const credentialId = id === undefined ? undefined : findBytes(id, MAX_CREDENTIAL_ID_BYTES);
  if (credentialId === undefined) throw new AuthApiError('INVALID_CREDENTIAL_ID');
  const clientDataJSON = requireBytes(response, 'clientDataJSON', MAX_CLIENT_DATA_BYTES);
  return { credentialId, clientDataJSON, response, ...readClientData(clientDataJSON) };
}

function readClientData(base64: string): Pick<ClientResponse, 'challenge' | 'origin'> {
  const json = findJson(Buffer.from(base64, 'base64url').toString());
  const data = isJsonObject(json) ? new Fields(json) : undefined;
  const challenge = data?.text('challenge');
  const origin = data?.text('origin');
  if (data === undefined || challenge === undefined || origin === undefined)
    throw invalidResponse('clientDataJSON is not the JSON of a browser.');
  if (data.flag('crossOrigin') === true)
    throw invalidResponse('Passkeys cannot be used in a frame of another site.');
  return { challenge, origin };
}

function findJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
}

function requireBytes(fields: Fields, name: string, maxBytes: number): string {
  const bytes = findBytes(fields.text(name) ?? '', maxBytes);
  if (bytes === undefined) throw invalidResponse(`"${name}" must be 1 to ${maxBytes} bytes in base64url.`);
  return bytes;
}

/** Returns bytes in base64url without padding, from base64 of either alphabet. */
function findBytes(text: string, maxBytes: number): string | undefined {
  if (text.length > maxBytes * 2 || !BASE64.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64url');
  return bytes.length === 0 || bytes.length > maxBytes ? undefined : bytes.toString('base64url');
}

/** Throws if the page or the app may not use the passkeys of the project. */
function requireAcceptedOrigin({ origin }: ClientResponse, party: RelyingParty, uid?: string): void {
  if (!isAcceptedOrigin(origin, party))
    throw invalidResponse(
      `The origin ${origin.slice(0, MAX_DETAIL_LENGTH)} is not one of the project's for the domain ${party.id}.`,
      uid === undefined ? {} : { uid },
    );
}

/** The parts of a passkey that its authenticator determines. */
export interface NewCredential
  extends Pick<
    Passkey,
    'credentialId' | 'publicKey' | 'counter' | 'transports' | 'isBackupEligible' | 'isBackedUp'
  > {
  /** The number of the kind of authenticator. */
  readonly aaguid: string;
  readonly isUserVerified: boolean;
}

/** Verifies the response of an authenticator that has created a passkey. */
export async function verifyRegistration(
  given: RegistrationResponse,
  challenge: VerifiedChallenge,
  party: RelyingParty,
  uid?: string,
): Promise<NewCredential> {
  requireAcceptedOrigin(given, party, uid);
  const { attestationObject, transports, clientDataJSON } = given;
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  await requireNoCertificates(attestationObject, uid);
  const { registrationInfo } = await orInvalid(
    () =>
      verifyRegistrationResponse({
        response: {
          id: given.credentialId,
          rawId: given.credentialId,
          type: 'public-key',
          clientExtensionResults: {},
          response: { attestationObject, clientDataJSON },
        },
        expectedChallenge: challenge.text,
        expectedOrigin: given.origin,
        expectedRPID: party.id,
        requireUserVerification: false,
        supportedAlgorithmIDs: [...ALGORITHMS],
      }),
    uid,
  );
  if (registrationInfo === undefined) throw invalidResponse('The attestation is not valid.');
  const { credential, credentialDeviceType, credentialBackedUp, userVerified, aaguid } = registrationInfo;
  if (credential.id !== given.credentialId) throw new AuthApiError('INVALID_CREDENTIAL_ID');
  if (Buffer.from(credential.id, 'base64url').length > MAX_CREDENTIAL_ID_BYTES)
    throw new AuthApiError('INVALID_CREDENTIAL_ID');
  if (credential.publicKey.length > MAX_PUBLIC_KEY_BYTES)
    throw invalidResponse('The public key is too long.');
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports,
    isBackupEligible: credentialDeviceType === 'multiDevice',
    isBackedUp: credentialBackedUp,
    aaguid,
    isUserVerified: userVerified,
  };
}

/**
 * Throws if an attestation has certificates. The server asks for none, and the library would request the revocation
 * list that a certificate names, from any address that the client chooses.
 */
async function requireNoCertificates(attestationObject: string, uid: string | undefined): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const decoded = await orInvalid(
    async () => decodeAttestationObject(new Uint8Array(Buffer.from(attestationObject, 'base64url'))),
    uid,
  );
  const format = decoded.get('fmt');
  const isSelfSigned = format === 'packed' && decoded.get('attStmt')?.get('x5c') === undefined;
  if (format !== 'none' && !isSelfSigned)
    throw invalidResponse('Leave out the attestation: ask the authenticator for "none".');
}

/** The facts that the signature of an authenticator proves. */
export interface VerifiedAssertion {
  readonly counter: number;
  readonly isUserVerified: boolean;
  readonly isBackupEligible: boolean;
  readonly isBackedUp: boolean;
}

/** Verifies the response of an authenticator that has signed with a passkey. The caller checks the counter. */
export async function verifyAssertion(
  given: AssertionResponse,
  challenge: VerifiedChallenge,
  party: RelyingParty,
  passkey: Passkey,
  uid: string,
): Promise<VerifiedAssertion> {
  requireAcceptedOrigin(given, party, uid);
  const { clientDataJSON, authenticatorData, signature } = given;
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await orInvalid(
    () =>
      verifyAuthenticationResponse({
        response: {
          id: given.credentialId,
          rawId: given.credentialId,
          type: 'public-key',
          clientExtensionResults: {},
          response: { clientDataJSON, authenticatorData, signature },
        },
        expectedChallenge: challenge.text,
        expectedOrigin: given.origin,
        expectedRPID: party.id,
        requireUserVerification: party.settings.passkeys.userVerification === 'REQUIRED',
        credential: {
          id: passkey.credentialId,
          publicKey: new Uint8Array(Buffer.from(passkey.publicKey, 'base64url')),
          counter: 0,
        },
      }),
    uid,
  );
  if (!verified) throw invalidResponse('The signature is not that of the passkey.', { uid });
  return {
    counter: authenticationInfo.newCounter,
    isUserVerified: authenticationInfo.userVerified,
    isBackupEligible: authenticationInfo.credentialDeviceType === 'multiDevice',
    isBackedUp: authenticationInfo.credentialBackedUp,
  };
}

/** Runs a step of the verification. The library throws an `Error` for everything that it rejects. */
async function orInvalid<T>(verify: () => Promise<T>, uid?: string): Promise<T> {
  try {
    return await verify();
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause;
    throw invalidResponse(
      cause.message.slice(0, MAX_DETAIL_LENGTH),
      uid === undefined ? { cause } : { cause, uid },
    );
  }
}
