import {
  type CallOutcome,
  type Fetch,
  findRecord,
  findText,
  isRecord,
  type JsonRecord,
} from '../action/api.ts';
import { type CaptchaAction, callWithAppCheck, callWithChallenge, type Proofs } from '../action/proofs.ts';
import { explainProblem, type Problem } from './problem.ts';

/** The signed-in user. The ID token is valid for an hour. */
export interface PageUser {
  readonly idToken: string;
  readonly uid: string;
  readonly sessionId: string;
  /** Until when the sign-in counts as recent, by `performance.now()`. */
  readonly recentUntilMs: number;
  readonly email: string;
  /** The number with which the user signs in; empty for none. */
  readonly phone: string;
  /** The name by which the user recognizes the account. */
  readonly label: string;
}

/** A second factor that can complete a sign-in. */
export interface Factor {
  readonly id: string;
  readonly name: string | undefined;
  /** The masked number of a phone; undefined for an authenticator app. */
  readonly phone: string | undefined;
}

/** A sign-in that waits for its second factor. */
export interface PendingSignIn {
  readonly credential: string;
  readonly factors: readonly Factor[];
}

/** The outcome of a request: a value, or a problem that the user can solve. */
export type Outcome<T> =
  | { readonly kind: 'ok'; readonly value: T }
  | { readonly kind: 'problem'; readonly problem: Problem };

/** The outcome of a sign-in. */
export type SignInOutcome = Outcome<PageUser> | { readonly kind: 'factor'; readonly pending: PendingSignIn };

/** The server to which the page sends requests, and the app and user for which it does so. */
export interface ServerOptions {
  readonly fetch: Fetch;
  readonly apiKey: string;
  /** The tenant to whose accounts the user belongs; undefined for those of the project. */
  readonly tenantId: string | undefined;
  readonly language: string;
  readonly proofs: Proofs;
}

/** The server, as a hosted page uses it. */
export class Server {
  readonly #options: ServerOptions;

  constructor(options: ServerOptions) {
    this.#options = options;
  }

  /** Calls a method of the Auth API; without a body, one that only reads. */
  async call(path: string, body?: JsonRecord): Promise<Outcome<JsonRecord>> {
    const { fetch, apiKey, tenantId, language, proofs } = this.#options;
    const request = body === undefined ? { tenantId } : { body: { tenantId, ...body }, language };
    return outcomeOf(await callWithAppCheck(fetch, proofs, { path, apiKey, ...request }));
  }

  /**
   * Calls a method that may require a solved challenge. `bodyWith` returns the body with the solution, which most methods
   * expect next to their other members.
   */
  async callWithChallenge(
    action: CaptchaAction,
    path: string,
    bodyWith: (proof: JsonRecord) => JsonRecord,
  ): Promise<Outcome<JsonRecord>> {
    const { fetch, apiKey, tenantId, language, proofs } = this.#options;
    return outcomeOf(
      await callWithChallenge(fetch, proofs, {
        path,
        apiKey,
        language,
        action,
        bodyWith: (proof) => ({ tenantId, ...bodyWith(proof) }),
      }),
    );
  }

  /** Returns the user who is signed in on this page; undefined for none. */
  async readUser(): Promise<Outcome<PageUser | undefined>> {
    const outcome = await this.call('/__/auth/session:read', {});
    return outcome.kind === 'ok' ? { kind: 'ok', value: parseUser(outcome.value) } : outcome;
  }

  /** Signs the user out of this page. */
  signOut(): Promise<Outcome<JsonRecord>> {
    return this.call('/__/auth/session:close', {});
  }

  /** Returns the code with which the app takes over the sign-in. */
  async createCode(redirectUrl: URL, challenge: string): Promise<Outcome<string>> {
    const outcome = await this.call('/__/auth/session:code', { redirectUrl: redirectUrl.href, challenge });
    if (outcome.kind === 'problem') return outcome;
    return { kind: 'ok', value: findText(outcome.value, 'code') ?? '' };
  }

  async signIn(email: string, password: string): Promise<SignInOutcome> {
    const body = { email, password, returnSecureToken: true };
    return this.finishSignIn(
      await this.callWithChallenge('signInWithPassword', '/v1/accounts:signInWithPassword', (proof) => ({
        ...body,
        ...proof,
      })),
    );
  }

  async signUp(email: string, password: string, displayName: string): Promise<SignInOutcome> {
    const name = displayName === '' ? {} : { displayName };
    const body = { email, password, returnSecureToken: true, ...name };
    return this.finishSignIn(
      await this.callWithChallenge('signUpPassword', '/v1/accounts:signUp', (proof) => ({
        ...body,
        ...proof,
      })),
    );
  }

  /** Sends a password reset email. */
  sendReset(email: string, continueUrl: URL): Promise<Outcome<unknown>> {
    return this.#sendMail({ requestType: 'PASSWORD_RESET', email, continueUrl: continueUrl.href });
  }

  /** Sends a link with which the user signs in at `target`, an address of this page. */
  sendLink(email: string, target: URL): Promise<Outcome<unknown>> {
    const body = { requestType: 'EMAIL_SIGNIN', email, continueUrl: target.href };
    return this.#sendMail({ ...body, canHandleCodeInApp: true });
  }

  /** Succeeds also if no account can use the mail, so that the page does not reveal whether there is an account. */
  async #sendMail(body: JsonRecord): Promise<Outcome<unknown>> {
    const outcome = await this.callWithChallenge('getOobCode', '/v1/accounts:sendOobCode', (proof) => ({
      ...body,
      ...proof,
    }));
    const isSecret =
      outcome.kind === 'problem' && (outcome.problem === 'wrongPassword' || outcome.problem === 'disabled');
    return isSecret ? { kind: 'ok', value: null } : outcome;
  }

  /** Signs in with the code in the link of a mail. If no account has the address, the server creates one. */
  async signInWithLink(email: string, oobCode: string): Promise<SignInOutcome> {
    const outcome = await this.call('/v1/accounts:signInWithEmailLink', { email, oobCode });
    const isOther = outcome.kind === 'problem' && outcome.problem === 'invalidEmail';
    return isOther ? { kind: 'problem', problem: 'otherAddress' } : this.finishSignIn(outcome);
  }

  /** Sends a code to the phone of a factor. Returns the text that names the code to the server. */
  async sendSms({ credential }: PendingSignIn, { id }: Factor): Promise<Outcome<string>> {
    const outcome = await this.callWithChallenge(
      'mfaSmsSignIn',
      '/v2/accounts/mfaSignIn:start',
      (phoneSignInInfo) => ({ mfaPendingCredential: credential, mfaEnrollmentId: id, phoneSignInInfo }),
    );
    if (outcome.kind === 'problem') return outcome;
    return {
      kind: 'ok',
      value: findText(findRecord(outcome.value, 'phoneResponseInfo') ?? {}, 'sessionInfo') ?? '',
    };
  }

  /** Sends a code to a phone number. Returns the text that names the code to the server. */
  async sendPhoneCode(phoneNumber: string): Promise<Outcome<string>> {
    const outcome = await this.callWithChallenge(
      'sendVerificationCode',
      '/v1/accounts:sendVerificationCode',
      (proof) => ({ phoneNumber, ...proof }),
    );
    return outcome.kind === 'ok'
      ? { kind: 'ok', value: findText(outcome.value, 'sessionInfo') ?? '' }
      : outcome;
  }

  /** Signs in with a code that was sent to a phone. If no account has the number, the server creates one. */
  async signInWithPhone(sessionInfo: string, code: string): Promise<SignInOutcome> {
    return this.finishSignIn(await this.call('/v1/accounts:signInWithPhoneNumber', { sessionInfo, code }));
  }

  /** Completes a sign-in with the code of an authenticator app, of a text message (`sessionInfo`), or a recovery code. */
  async finishFactor(
    { credential }: PendingSignIn,
    { id }: Factor,
    code: string,
    sessionInfo: string | undefined,
  ): Promise<SignInOutcome> {
    const proof =
      sessionInfo === undefined
        ? { totpVerificationInfo: { verificationCode: code } }
        : { phoneVerificationInfo: { sessionInfo, code } };
    return this.finishSignIn(
      await this.call('/v2/accounts/mfaSignIn:finalize', {
        mfaPendingCredential: credential,
        mfaEnrollmentId: id,
        ...proof,
      }),
    );
  }

  /** Keeps the session of a successful sign-in in the cookie of the page, or returns the factors that it needs. */
  async finishSignIn(outcome: Outcome<JsonRecord>): Promise<SignInOutcome> {
    if (outcome.kind === 'problem') return outcome;
    const credential = findText(outcome.value, 'mfaPendingCredential');
    if (credential !== undefined)
      return { kind: 'factor', pending: { credential, factors: parseFactors(outcome.value['mfaInfo']) } };
    return this.#open(findText(outcome.value, 'refreshToken'));
  }

  /** Keeps a session in the cookie of the page. */
  async #open(refreshToken: string | undefined): Promise<Outcome<PageUser>> {
    const opened = await this.call('/__/auth/session:open', { refreshToken });
    if (opened.kind === 'problem') return opened;
    const user = parseUser(opened.value);
    return user === undefined ? { kind: 'problem', problem: 'unexpected' } : { kind: 'ok', value: user };
  }

  /**
   * Keeps the session that a change of the account began in the cookie of the page. Returns the user with a fresh token; if
   * the change began no session, that of the present one.
   */
  async adopt(json: JsonRecord, user: PageUser): Promise<Outcome<PageUser>> {
    const refreshToken = findText(json, 'refreshToken');
    const outcome = refreshToken === undefined ? await this.readUser() : await this.#open(refreshToken);
    // The change itself has succeeded.
    return outcome.kind === 'ok' ? { kind: 'ok', value: outcome.value ?? user } : outcome;
  }
}

function outcomeOf(outcome: CallOutcome): Outcome<JsonRecord> {
  switch (outcome.kind) {
    case 'answered':
      return { kind: 'ok', value: outcome.json };
    case 'rejected':
      return { kind: 'problem', problem: explainProblem(outcome.code) };
    case 'unreachable':
      return { kind: 'problem', problem: 'unreachable' };
    default:
      return outcome satisfies never;
  }
}

function parseUser(json: JsonRecord): PageUser | undefined {
  const [idToken, sessionId] = [findText(json, 'idToken'), findText(json, 'sessionId')];
  if (idToken === undefined || sessionId === undefined) return undefined;
  const [uid, email] = [findText(json, 'localId') ?? '', findText(json, 'email') ?? ''];
  const phone = findText(json, 'phoneNumber') ?? '';
  const label = email || phone || findText(json, 'displayName') || uid;
  const recentUntilMs = performance.now() + Number(json['recentMs']);
  return { idToken, uid, sessionId, recentUntilMs, email, phone, label };
}

export function parseFactors(value: unknown): readonly Factor[] {
  return (Array.isArray(value) ? value : []).filter(isRecord).flatMap((factor) => {
    const id = findText(factor, 'mfaEnrollmentId');
    return id === undefined
      ? []
      : [{ id, name: findText(factor, 'displayName'), phone: findText(factor, 'phoneInfo') }];
  });
}
