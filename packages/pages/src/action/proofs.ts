import { type CallOutcome, type CallRequest, call, type Fetch, findRecord, type JsonRecord } from './api.ts';

/** What the server says about the App Check tokens of the page. */
export interface AppCheckNeeds {
  /** The methods that accept each token once, such as `accounts:signUp`. */
  readonly limitedUse: readonly string[];
}

/** Returns what the server says in the parameters of a page; undefined if it ignores tokens. */
export function parseAppCheckNeeds(parameters: JsonRecord): AppCheckNeeds | undefined {
  const record = findRecord(parameters, 'appCheck');
  if (record === undefined) return undefined;
  const { limitedUse } = record;
  return { limitedUse: Array.isArray(limitedUse) ? limitedUse.map(String) : [] };
}

/** The App Check tokens of the page. */
export interface AppCheck {
  /** Returns a token for a request to a method, by its path. */
  read(path: string): Promise<string | undefined>;
  /** Forgets the token, which the server does not accept. */
  forget(): Promise<void>;
}

/** The action names of challenges, by method. */
export type CaptchaAction =
  | 'signUpPassword'
  | 'signInWithPassword'
  | 'getOobCode'
  | 'sendVerificationCode'
  | 'mfaSmsSignIn'
  | 'mfaSmsEnrollment';

/** How the page proves that it is a page of the server in a browser. */
export interface Proofs {
  /** Undefined if the project does not ask for App Check tokens. */
  readonly appCheck: AppCheck | undefined;
  /** Solves the challenge for an action, which the server requires when it suspects a program. */
  readonly solveChallenge: (action: CaptchaAction) => Promise<string>;
}

/** The error of a request without a valid App Check token, which has no code. */
const BAD_APP_CHECK = 'Firebase App Check token is invalid.';

/** The errors of requests without a solved challenge. */
export const CHALLENGE_CODES = [
  'MISSING_RECAPTCHA_TOKEN',
  'INVALID_RECAPTCHA_TOKEN',
  'CAPTCHA_CHECK_FAILED',
  'MISSING_CLIENT_IDENTIFIER',
  BAD_APP_CHECK,
] as const;

/** Returns the proofs of a page. Their parts are loaded on demand, because few projects and few sign-ins need them. */
export function openProofs(
  apiKey: string,
  tenantId: string | undefined,
  needs: AppCheckNeeds | undefined,
): Proofs {
  const load = () => import('./app-check.ts');
  const isLimited = (path: string) =>
    needs?.limitedUse.some((method) => path.endsWith(`/${method}`)) === true;
  return {
    appCheck:
      needs === undefined
        ? undefined
        : {
            read: async (path) => (await load()).readAppCheckToken(apiKey, isLimited(path)),
            forget: async () => (await load()).forgetAppCheckToken(apiKey),
          },
    solveChallenge: async (action) => {
      const { createCaptchaToken } = await import('@hearth/client/captcha-token');
      return createCaptchaToken({ server: location.origin, apiKey, tenantId: tenantId ?? '', action });
    },
  };
}

/**
 * Sends a request with the App Check token of the page, and again with a new one if the server does not accept the token: a
 * duplicate of this tab may have used it, or the settings of the project have changed.
 */
export async function callWithAppCheck(
  fetch: Fetch,
  { appCheck }: Pick<Proofs, 'appCheck'>,
  request: CallRequest,
): Promise<CallOutcome> {
  const send = async () => call(fetch, { ...request, appCheckToken: await appCheck?.read(request.path) });
  const outcome = await send();
  if (appCheck === undefined || outcome.kind !== 'rejected' || outcome.code !== BAD_APP_CHECK) return outcome;
  await appCheck.forget();
  return send();
}

/** A request that may require a solved challenge. */
export interface ProvenRequest extends Omit<CallRequest, 'body'> {
  readonly action: CaptchaAction;
  /** Returns the body with a solved challenge, as the method expects it; first without one. */
  readonly bodyWith: (proof: JsonRecord) => JsonRecord;
}

/** Sends a request, and again with a solved challenge if the server asks for one. */
export async function callWithChallenge(
  fetch: Fetch,
  proofs: Proofs,
  { action, bodyWith, ...request }: ProvenRequest,
): Promise<CallOutcome> {
  const send = (proof: JsonRecord) =>
    callWithAppCheck(fetch, proofs, { ...request, body: { ...bodyWith(proof), hearth: '1' } });
  const first = await send({});
  if (first.kind !== 'rejected' || !CHALLENGE_CODES.some((code) => code === first.code)) return first;
  const captchaResponse = await proofs.solveChallenge(action).catch(() => undefined);
  if (captchaResponse === undefined) return first;
  return send({ captchaResponse, clientType: 'CLIENT_TYPE_WEB', recaptchaVersion: 'RECAPTCHA_ENTERPRISE' });
}
