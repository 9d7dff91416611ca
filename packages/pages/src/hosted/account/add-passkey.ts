import { type PublicKeyCredentialCreationOptionsJSON, startRegistration } from '@simplewebauthn/browser';
import type { JsonRecord } from '../../action/api.ts';
import type { Outcome, PageUser, Server } from '../server.ts';

const ENROLLMENT = '/v2/accounts/passkeyEnrollment';

/** Creates a passkey in a dialog of the browser. The response has the tokens of a session that began with it. */
export async function addPasskey(server: Server, { idToken }: PageUser): Promise<Outcome<JsonRecord>> {
  const started = await server.call(`${ENROLLMENT}:start`, { idToken });
  if (started.kind === 'problem') return started;
  try {
    const authenticatorRegistrationResponse = await startRegistration({
      optionsJSON: started.value['credentialCreationOptions'] as PublicKeyCredentialCreationOptionsJSON,
    });
    return await server.call(`${ENROLLMENT}:finalize`, { idToken, authenticatorRegistrationResponse });
  } catch {
    // The user closed the dialog, or the device has a passkey of the account already. Browsers do not always say which.
    return { kind: 'problem', problem: 'passkeyNotCreated' };
  }
}
