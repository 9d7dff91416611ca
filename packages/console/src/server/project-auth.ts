import { hearthAuth } from '@hearth/client';
import { initializeApp } from 'firebase/app';
import { type Auth, onIdTokenChanged } from 'firebase/auth';
import { Api } from './api.ts';
import { ApiError } from './api-error.ts';
import type { Credential } from './credential.ts';
import { signInAddress } from './first-addresses.ts';

/** Accounts of a project as the official SDK knows them, and what says to the server who of them is at the console. */
export interface ProjectAuth {
  readonly projectId: string;
  readonly apiKey: string;
  readonly auth: Auth;
  readonly credential: Credential;
}

/** Tells a member at the console from the same person in the app. */
const MEMBER = 'member.';

/**
 * Opens the accounts of a project, whoever signed in before being there again. Once for each project, as the SDK wants.
 * Rejects with an `ApiError`: 404 for a project that is not there.
 */
export async function openProjectAuth(projectId: string): Promise<ProjectAuth> {
  const { apiKey } = await new Api(null).json<{ readonly apiKey: string }>(signInAddress(projectId));
  // The name keeps this sign-in apart from one of an app of the same origin.
  const app = initializeApp({ apiKey, projectId }, `hearth-console-${projectId}`);
  const auth = hearthAuth(app, location.origin);
  await auth.authStateReady();
  return { projectId, apiKey, auth, credential: credentialOf(auth) };
}

function credentialOf(auth: Auth): Credential {
  return {
    async token() {
      if (auth.currentUser === null) throw new ApiError(401, 'Nobody is signed in any more.');
      return `${MEMBER}${await auth.currentUser.getIdToken()}`;
    },
    onChange: (tell) => onIdTokenChanged(auth, tell),
  };
}
