import {
  type FakeResponse,
  type FakeResponses,
  json,
  PENDING,
  requestError,
} from '../../api/fake-server.fixture.ts';
import type { ServerSession } from '../../api/projects.ts';

function base64Url(value: unknown): string {
  return btoa(JSON.stringify(value)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

/** An ID token that the SDK can read; nothing verifies its signature. */
const ID_TOKEN = [
  base64Url({ alg: 'RS256', typ: 'JWT' }),
  base64Url({ sub: 'mia', user_id: 'mia', email: 'mia@example.com', iat: 1_777_708_320, exp: 4_102_444_800 }),
  'signature',
].join('.');

const TOKENS = { idToken: ID_TOKEN, refreshToken: 'refresh', expiresIn: '3600', localId: 'mia' };

/** Returns an error of the Auth API. */
export function authError(message: string): FakeResponse {
  const error = { code: 400, message, errors: [{ message, domain: 'global', reason: 'invalid' }] };
  return { kind: 'complete', status: 400, headers: {}, body: JSON.stringify({ error }) };
}

/** Key that an authenticator app gets. */
const SECRET = 'JBSWY3DPEHPK3PXP';

export const RECOVERY_CODES: readonly string[] = ['h7k2-m9qd', 'p4xw-3tnz'];

const KEY = 'key=hearth-key';
const V1 = '/v1/accounts';
const V2 = '/v2/accounts';

/** The requests whose fake responses determine the content of the views. */
export const ROUTES = {
  session: 'GET /api/session',
  signIn: `POST ${V1}:signInWithPassword?${KEY}`,
  lookup: `POST ${V1}:lookup?${KEY}`,
  mail: `POST ${V1}:sendOobCode?${KEY}`,
  startFactor: `POST ${V2}/mfaEnrollment:start?${KEY}`,
  finishFactor: `POST ${V2}/mfaEnrollment:finalize?${KEY}`,
  proveFactor: `POST ${V2}/mfaSignIn:finalize?${KEY}`,
  recoveryCodes: `POST /v2/accounts/mfaRecoveryCodes:generate?${KEY}`,
} as const;

/** Returns the request for the sign-in parameters of a project. */
export function parametersRoute(project: string): string {
  return `GET /api/projects/${project}/sign-in`;
}

/** The response with the sign-in parameters. */
export const PARAMETERS = json({ apiKey: 'hearth-key' });

/** The response to the correct password of a user who has a second factor. */
export const NEEDS_CODE = json({
  mfaPendingCredential: 'pending',
  mfaInfo: [
    { mfaEnrollmentId: 'f1', displayName: 'Phone', enrolledAt: '2026-02-03T09:30:00Z', totpInfo: {} },
  ],
});

export const NO_MEMBER = requestError(403, 'member/unknown', 'You are not a member of this project.');

/** The response to the lookup of a user whose email is not verified. */
export const UNVERIFIED = json({
  users: [{ localId: 'mia', email: 'mia@example.com', emailVerified: false }],
});

/** Returns the responses for a member who has to add a second factor. */
export function signInResponses(project: string): FakeResponses {
  const session: ServerSession = {
    mode: 'serve',
    version: '1.0.0',
    user: { uid: 'mia', email: 'mia@example.com', name: 'Mia Lang' },
    projects: [{ id: project, role: 'owner' }],
  };
  return {
    [parametersRoute(project)]: PARAMETERS,
    [ROUTES.signIn]: json({ ...TOKENS, email: 'mia@example.com', registered: true }),
    [ROUTES.lookup]: json({ users: [{ localId: 'mia', email: 'mia@example.com', emailVerified: true }] }),
    [ROUTES.mail]: json({ email: 'mia@example.com' }),
    [ROUTES.session]: requestError(
      403,
      'member/second-factor',
      'Members must sign in with a second factor. Add one to your account, then sign in with it.',
    ),
    [ROUTES.startFactor]: json({
      totpSessionInfo: {
        sharedSecretKey: SECRET,
        verificationCodeLength: 6,
        hashingAlgorithm: 'SHA1',
        periodSec: 30,
        sessionInfo: 'enrollment',
        finalizeEnrollmentTime: '2026-05-02T10:00:00Z',
      },
    }),
    [ROUTES.finishFactor]: json({ ...TOKENS, totpAuthInfo: {} }),
    [ROUTES.proveFactor]: PENDING,
    [ROUTES.recoveryCodes]: json({ recoveryCodes: RECOVERY_CODES, session }),
  };
}
