import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AuthAnswer, AuthClient } from '../api/auth-client.fixture.ts';

type Json = Readonly<Record<string, unknown>>;
type Cbor = number | string | Buffer | ReadonlyMap<number | string, Cbor>;

/** Encodes a value in CBOR, as far as authenticators need it. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [encodeCbor(key), encodeCbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size]);
  if (size < 256) return Buffer.from([(type << 5) | 24, size]);
  return Buffer.from([(type << 5) | 25, size >> 8, size & 0xff]);
}

type Algorithm = 'ES256' | 'EdDSA' | 'RS256' | 'ES384';

function createKeys(algorithm: Algorithm): { readonly privateKey: KeyObject; readonly cose: Buffer } {
  const bytes = (text: unknown): Buffer => Buffer.from(String(text), 'base64url');
  switch (algorithm) {
    case 'ES256':
    case 'ES384': {
      const is256 = algorithm === 'ES256';
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: is256 ? 'P-256' : 'P-384' });
      const { x, y } = publicKey.export({ format: 'jwk' });
      const curve: Cbor = new Map<number, Cbor>([
        [1, 2],
        [3, is256 ? -7 : -35],
        [-1, is256 ? 1 : 2],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]);
      return { privateKey, cose: encodeCbor(curve) };
    }
    case 'EdDSA': {
      const { publicKey, privateKey } = generateKeyPairSync('ed25519');
      const key = new Map<number, Cbor>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(publicKey.export({ format: 'jwk' }).x)],
      ]);
      return { privateKey, cose: encodeCbor(key) };
    }
    case 'RS256': {
      const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
      const { n, e } = publicKey.export({ format: 'jwk' });
      const key = new Map<number, Cbor>([
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]);
      return { privateKey, cose: encodeCbor(key) };
    }
    default:
      return algorithm satisfies never;
  }
}

/** The ways in which an authenticator or a browser differs from an honest one. */
export interface Difference {
  readonly origin?: string;
  readonly rpId?: string;
  readonly type?: string;
  readonly challenge?: string;
  readonly crossOrigin?: boolean;
  readonly counter?: number;
  readonly isUserVerified?: boolean;
  readonly isUserPresent?: boolean;
  readonly isBackupEligible?: boolean;
  readonly userHandle?: string | null;
  readonly attestation?: { readonly format: string; readonly statement: ReadonlyMap<string, Cbor> };
}

const ORIGIN = 'http://localhost:9000';

const NO_AAGUID = '00000000-0000-0000-0000-000000000000';

interface AuthenticatorOptions {
  readonly algorithm?: Algorithm;
  readonly idBytes?: number;
  readonly aaguid?: string;
}

/** An authenticator with one passkey, and the browser that uses it. */
export class TestAuthenticator {
  readonly credentialId: string;
  readonly #keys: ReturnType<typeof createKeys>;
  readonly #always: Difference;
  readonly #aaguid: Buffer;
  #userHandle = '';

  constructor(
    { algorithm = 'ES256', idBytes = 32, aaguid = NO_AAGUID }: AuthenticatorOptions = {},
    always: Difference = {},
  ) {
    this.#aaguid = Buffer.from(aaguid.replaceAll('-', ''), 'hex');
    this.#keys = createKeys(algorithm);
    this.#always = always;
    this.credentialId = randomBytes(idBytes).toString('base64url');
  }

  get userHandle(): string {
    return this.#userHandle;
  }

  /** Creates the passkey for the options of `passkeyEnrollment:start`. */
  create(options: unknown, difference: Difference = {}): Json {
    const { challenge, rp, user } = Object(options);
    this.#userHandle = String(Object(user).id);
    const what = { ...this.#always, ...difference };
    const id = Buffer.from(this.credentialId, 'base64url');
    const size = Buffer.from([id.length >> 8, id.length & 0xff]);
    const attested = Buffer.concat([this.#aaguid, size, id, this.#keys.cose]);
    const attestationObject = encodeCbor(
      new Map<string, Cbor>([
        ['fmt', what.attestation?.format ?? 'none'],
        ['attStmt', what.attestation?.statement ?? new Map()],
        ['authData', this.#authenticatorData(String(Object(rp).id), what, attested)],
      ]),
    );
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: clientData('webauthn.create', challenge, what).toString('base64url'),
        attestationObject: attestationObject.toString('base64url'),
        transports: ['internal', 'hybrid'],
      },
    };
  }

  /** Signs the challenge of `passkeySignIn:start`. */
  sign(options: unknown, difference: Difference = {}): Json {
    const { challenge, rpId } = Object(options);
    const what = { ...this.#always, ...difference };
    const authenticatorData = this.#authenticatorData(String(rpId), what);
    const clientDataJSON = clientData('webauthn.get', challenge, what);
    const signed = Buffer.concat([authenticatorData, createHash('sha256').update(clientDataJSON).digest()]);
    const { privateKey } = this.#keys;
    const isEd = privateKey.asymmetricKeyType === 'ed25519';
    const userHandle = what.userHandle === undefined ? this.#userHandle : what.userHandle;
    return {
      id: this.credentialId,
      rawId: this.credentialId,
      type: 'public-key',
      response: {
        clientDataJSON: clientDataJSON.toString('base64url'),
        authenticatorData: authenticatorData.toString('base64url'),
        signature: sign(isEd ? null : 'sha256', signed, privateKey).toString('base64url'),
        ...(userHandle === null ? {} : { userHandle }),
      },
    };
  }

  #authenticatorData(rpId: string, what: Difference, attested: Buffer = Buffer.alloc(0)): Buffer {
    const { isUserPresent = true, isUserVerified = true, isBackupEligible = false } = what;
    const flags =
      (isUserPresent ? 1 : 0) |
      (isUserVerified ? 4 : 0) |
      (isBackupEligible ? 8 : 0) |
      (attested.length > 0 ? 64 : 0);
    const rest = Buffer.alloc(5);
    rest.writeUInt8(flags, 0);
    rest.writeUInt32BE(what.counter ?? 0, 1);
    const hash = createHash('sha256')
      .update(what.rpId ?? rpId)
      .digest();
    return Buffer.concat([hash, rest, attested]);
  }
}

function clientData(type: string, challenge: unknown, what: Difference): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: what.type ?? type,
      challenge: what.challenge ?? challenge,
      origin: what.origin ?? ORIGIN,
      crossOrigin: what.crossOrigin ?? false,
    }),
  );
}

/** Starts and finishes the enrollment of a passkey. `more` are further members of both requests. */
export async function enroll(
  client: AuthClient,
  authenticator: TestAuthenticator,
  more: Json,
  difference?: Difference,
): Promise<AuthAnswer> {
  const { json } = await client.post('/v2/accounts/passkeyEnrollment:start', more);
  return client.post('/v2/accounts/passkeyEnrollment:finalize', {
    ...more,
    authenticatorRegistrationResponse: authenticator.create(json['credentialCreationOptions'], difference),
  });
}

/** Signs in with a passkey. */
export async function signInWithPasskey(
  client: AuthClient,
  authenticator: TestAuthenticator,
  difference?: Difference,
  more: Json = {},
): Promise<AuthAnswer> {
  const options = await requestOptions(client, more);
  return finishWith(client, authenticator.sign(options, difference), more);
}

export async function requestOptions(client: AuthClient, more: Json = {}): Promise<unknown> {
  const { json } = await client.post('/v2/accounts/passkeySignIn:start', more);
  return json['credentialRequestOptions'];
}

export function finishWith(
  client: AuthClient,
  authenticatorAuthenticationResponse: Json,
  more: Json = {},
): Promise<AuthAnswer> {
  return client.post('/v2/accounts/passkeySignIn:finalize', { authenticatorAuthenticationResponse, ...more });
}

/** Returns the passkeys of an account. */
export function passkeysOf(user: Json): readonly Json[] {
  const info: unknown = user['passkeyInfo'];
  return Array.isArray(info) ? info : [];
}
