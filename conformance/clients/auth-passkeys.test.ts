import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../drivers/json.ts';
import { openServing, type Serving } from './serving.ts';

const ORIGIN = 'https://localhost';

let serving: Serving;
beforeAll(async () => {
  serving = await openServing();
});
afterAll(() => serving.close());

/** A passkey in memory, for pages at `ORIGIN`. */
class MemoryPasskey {
  readonly #id = randomBytes(32);
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  create(options: JsonObject): JsonObject {
    const { x, y } = this.#keys.publicKey.export({ format: 'jwk' });
    const [left, right] = [x, y].map((part) => Buffer.from(part ?? '', 'base64url'));
    // A map in CBOR: key type 2 (EC), algorithm -7, curve 1 (P-256), and both coordinates.
    const publicKey = [hex('a5010203262001215820'), left, hex('225820'), right];
    const attested = [Buffer.alloc(16), Buffer.from([0, 32]), this.#id, ...publicKey];
    const data = authenticatorData(Object(options['rp']).id, 0x45, attested);
    const size = Buffer.from([data.length]);
    // A map in CBOR with the members "fmt", "attStmt" and "authData".
    const attestation = [
      hex('a363666d74646e6f6e656761747453746d74a0686175746844617461'),
      hex('58'),
      size,
      data,
    ];
    return this.#response({
      clientDataJSON: base64url(clientData('webauthn.create', options)),
      attestationObject: base64url(Buffer.concat(attestation.map((part) => part ?? hex('')))),
    });
  }

  sign(options: JsonObject, userHandle: string): JsonObject {
    const data = authenticatorData(String(options['rpId']), 0x05);
    const client = clientData('webauthn.get', options);
    const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
    return this.#response({
      clientDataJSON: base64url(client),
      authenticatorData: base64url(data),
      signature: base64url(sign('sha256', signed, this.#keys.privateKey)),
      userHandle,
    });
  }

  #response(response: JsonObject): JsonObject {
    const id = base64url(this.#id);
    return { id, rawId: id, type: 'public-key', response };
  }
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}

function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

function clientData(type: string, { challenge }: JsonObject): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin: ORIGIN, crossOrigin: false }));
}

function authenticatorData(
  rpId: string,
  flags: number,
  attested: readonly (Buffer | undefined)[] = [],
): Buffer {
  const hash = createHash('sha256').update(rpId).digest();
  const parts = attested.map((part) => part ?? hex(''));
  return Buffer.concat([hash, Buffer.from([flags, 0, 0, 0, 0]), ...parts]);
}

test('[S615] the Admin SDK verifies the ID token of a sign-in with a passkey, and the ID token that its custom token gives', async () => {
  const projectId = 'passkeys';
  const apiKey = await serving.createProject(projectId, ['passkey']);
  const auth = serving.openAuth(await serving.createKey(projectId, 'backend', []));
  const passkey = new MemoryPasskey();
  const send = (step: string, body: JsonObject) => serving.send(apiKey, `/v2/accounts/passkey${step}`, body);
  const { credentialCreationOptions } = await send('Enrollment:start', { signUp: true });
  const creation: JsonObject = Object(credentialCreationOptions);
  const { localId } = await send('Enrollment:finalize', {
    authenticatorRegistrationResponse: passkey.create(creation),
  });
  const { credentialRequestOptions } = await send('SignIn:start', {});
  const signedIn = await send('SignIn:finalize', {
    authenticatorAuthenticationResponse: passkey.sign(
      Object(credentialRequestOptions),
      String(Object(creation['user']).id),
    ),
  });
  const taken = await serving.send(apiKey, 'accounts:signInWithCustomToken', {
    token: signedIn['customToken'],
  });
  for (const { idToken } of [signedIn, taken])
    expect(await auth.verifyIdToken(String(idToken), true)).toMatchObject({
      uid: localId,
      firebase: { sign_in_provider: 'passkey', sign_in_second_factor: 'passkey' },
    });
  expect((await auth.getUser(String(localId))).uid).toBe(localId);
});
