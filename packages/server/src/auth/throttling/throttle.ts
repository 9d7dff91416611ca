import { hash } from 'node:crypto';
import { addressLayers } from '../../platform/address-layers.ts';
import type { Clock } from '../../platform/clock.ts';
import { AuthApiError, AuthOverload } from '../errors.ts';
import type { AuthRequest, ClientInfo } from '../request.ts';
import { nameOfScope } from '../tenants/scope.ts';
import { Budgets } from './budgets.ts';
import { type Guess, type GuessResult, PasswordGuesses } from './guesses.ts';
import type { ProjectQuota, ThrottleLimits } from './limits.ts';

export interface ThrottleOptions {
  readonly clock: Clock;
  readonly limits: ThrottleLimits;
}

/** Time after which clients with too many requests may try again, in s. */
export const RETRY_AFTER_SEC = 5;

/**
 * A password that is being verified. If it is disposed of without a result, it counts neither as right nor as
 * wrong.
 */
export interface PasswordAttempt extends Disposable {
  /** Records the result. Later results are ignored. */
  end(isRight: boolean): void;
}

/** The budget of one key. */
interface Charge {
  readonly budgets: Budgets;
  readonly key: string;
}

/** Rate limits against password guessing, mass sign-ups and request floods. All counts are lost at a restart. */
export class Throttle {
  readonly #clock: Clock;
  readonly #guesses: PasswordGuesses;
  readonly #signUpHosts: Budgets;
  readonly #signUpSites: Budgets;
  readonly #newPasswordAccounts: Budgets;
  readonly #newPasswordHosts: Budgets;
  readonly #profileUpdates: Budgets;
  readonly #mailHosts: Budgets;
  readonly #mailSites: Budgets;
  readonly #challengeHosts: Budgets;
  readonly #challengeSites: Budgets;
  readonly #passkeyHosts: Budgets;
  readonly #passkeySites: Budgets;
  readonly #testMessages: Budgets;
  readonly #requests: Budgets;
  readonly #ofProject: Readonly<Record<ProjectQuota, Budgets>>;

  constructor({ clock, limits }: ThrottleOptions) {
    this.#clock = clock;
    this.#guesses = new PasswordGuesses(limits);
    this.#signUpHosts = new Budgets(limits.signUps.host, limits.maxKeys);
    this.#signUpSites = new Budgets(limits.signUps.site, limits.maxKeys);
    this.#newPasswordAccounts = new Budgets(limits.newPasswords.account, limits.maxKeys);
    this.#newPasswordHosts = new Budgets(limits.newPasswords.host, limits.maxKeys);
    this.#profileUpdates = new Budgets(limits.profileUpdates, limits.maxKeys);
    this.#mailHosts = new Budgets(limits.mails.host, limits.maxKeys);
    this.#mailSites = new Budgets(limits.mails.site, limits.maxKeys);
    this.#challengeHosts = new Budgets(limits.challenges.host, limits.maxKeys);
    this.#challengeSites = new Budgets(limits.challenges.site, limits.maxKeys);
    this.#passkeyHosts = new Budgets(limits.passkeys.host, limits.maxKeys);
    this.#passkeySites = new Budgets(limits.passkeys.site, limits.maxKeys);
    this.#testMessages = new Budgets(limits.testMessages, limits.maxKeys);
    this.#requests = new Budgets(limits.requests, limits.maxKeys);
    const { deletions, batchDeletions, configChanges } = limits.ofProject;
    this.#ofProject = {
      deletions: new Budgets(deletions, limits.maxKeys),
      batchDeletions: new Budgets(batchDeletions, limits.maxKeys),
      configChanges: new Budgets(configChanges, limits.maxKeys),
    };
  }

  /** Counts a sign-up. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if the network has created too many accounts. */
  requireSignUpAllowed(call: AuthRequest): void {
    if (!this.#takeOfAddress(call, this.#signUpHosts, this.#signUpSites))
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many accounts were created from this network. Try again later.',
      );
  }

  /**
   * Counts a new password. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if the account or the network has set too many.
   */
  requireNewPasswordAllowed({ project, client }: AuthRequest, uid: string): void {
    const { host } = addressLayers(client.address);
    const isLeft = this.#take([
      { budgets: this.#newPasswordAccounts, key: `${nameOfScope(project.scope)} ${uid}` },
      { budgets: this.#newPasswordHosts, key: `${project.id} ${host}` },
    ]);
    if (!isLeft)
      throw new AuthApiError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many passwords were set. Try again later.');
  }

  /** Counts a change by the user. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if the account was changed too often. */
  requireProfileUpdateAllowed({ project }: AuthRequest, uid: string): void {
    if (!this.#take([{ budgets: this.#profileUpdates, key: `${nameOfScope(project.scope)} ${uid}` }]))
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'The account was changed too often. Try again later.',
      );
  }

  /**
   * Counts a mail request. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if the network has requested too many mails, to
   * any recipients.
   */
  requireMailAllowed(call: AuthRequest): void {
    if (!this.#takeOfAddress(call, this.#mailHosts, this.#mailSites))
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many emails were requested from this network. Try again later.',
      );
  }

  /** Counts a challenge. Returns whether the network may have it. */
  isChallengeAllowed({ client }: AuthRequest): boolean {
    const { host, site } = addressLayers(client.address);
    return this.#take([
      { budgets: this.#challengeHosts, key: host },
      { budgets: this.#challengeSites, key: site },
    ]);
  }

  /**
   * Counts a step of a sign-in or sign-up with a passkey. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if the network has made
   * too many.
   */
  requirePasskeyAllowed(call: AuthRequest): void {
    if (!this.#takeOfAddress(call, this.#passkeyHosts, this.#passkeySites))
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many sign-ins with passkeys were started from this network. Try again later.',
      );
  }

  /** Counts a test mail. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if too many were sent for the project. */
  requireTestMailAllowed(projectId: string): void {
    if (!this.#take([{ budgets: this.#testMessages, key: projectId }]))
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many test emails were sent. Try again later.',
      );
  }

  /** Counts a text message that only tests the SMS service. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if there were too many. */
  requireTestSmsAllowed(projectId: string): void {
    if (!this.#take([{ budgets: this.#testMessages, key: `sms/${projectId}` }]))
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many test messages were sent. Try again later.',
      );
  }

  /** Counts an operation in a project. Throws `QUOTA_EXCEEDED` if there were too many. */
  requireAllowedInProject(projectId: string, quota: ProjectQuota): void {
    if (!this.#take([{ budgets: this.#ofProject[quota], key: projectId }]))
      throw new AuthApiError(
        'QUOTA_EXCEEDED',
        `Exceeded quota for ${QUOTA_NAMES[quota]}. Try again in a second.`,
      );
  }

  /**
   * Starts a password attempt. Throws `TOO_MANY_ATTEMPTS_TRY_LATER` if there were too many wrong passwords; see
   * `PasswordGuesses`.
   */
  requirePasswordAllowed(call: AuthRequest, email: string): PasswordAttempt {
    const end = this.#guesses.begin(guessOf(call, email), this.#clock.elapsedMs());
    if (end === undefined)
      throw new AuthApiError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many wrong passwords. Reset the password, or try again later.',
      );
    let hasEnded = false;
    const endOnce = (result: GuessResult): void => {
      if (!hasEnded) end(result, this.#clock.elapsedMs());
      hasEnded = true;
    };
    return {
      end: (isRight) => endOnce(isRight ? 'right' : 'wrong'),
      [Symbol.dispose]: () => endOnce('undecided'),
    };
  }

  /**
   * Clears the failures of an account whose user has reset or changed the password, so that the user can sign
   * in immediately.
   */
  lift(call: AuthRequest, email: string): void {
    this.#guesses.lift(guessOf(call, email), this.#clock.elapsedMs());
  }

  /** Counts a lookup or a refresh. Throws `AuthOverload` if the network sends too many. */
  requireRequestAllowed({ client }: { readonly client: Pick<ClientInfo, 'address'> }): void {
    const { host } = addressLayers(client.address);
    if (!this.#take([{ budgets: this.#requests, key: host }])) throw new AuthOverload(RETRY_AFTER_SEC);
  }

  /**
   * Takes one from the project's budgets of both the host and the site of the client. Returns false and takes
   * nothing if one of them is empty.
   */
  #takeOfAddress({ project, client }: AuthRequest, hosts: Budgets, sites: Budgets): boolean {
    const { host, site } = addressLayers(client.address);
    return this.#take([
      { budgets: hosts, key: `${project.id} ${host}` },
      { budgets: sites, key: `${project.id} ${site}` },
    ]);
  }

  /** Takes one from each budget. Returns false and takes nothing if one of them is empty. */
  #take(charges: readonly Charge[]): boolean {
    const nowMs = this.#clock.elapsedMs();
    if (!charges.every(({ budgets, key }) => budgets.isLeft(key, nowMs))) return false;
    for (const { budgets, key } of charges) budgets.take(key, nowMs);
    return true;
  }
}

const QUOTA_NAMES: Readonly<Record<ProjectQuota, string>> = {
  deletions: 'deleting accounts',
  batchDeletions: 'deleting accounts in batches',
  configChanges: 'changing the configuration',
};

/** Returns the guess of a request. A hash identifies the account, so that email addresses are not stored. */
function guessOf({ project, caller, client }: AuthRequest, email: string): Guess {
  const account = hash('sha256', `${nameOfScope(project.scope)}\0${email}`, 'base64url');
  const apiKey = caller.kind === 'app' ? caller.apiKey : null;
  return { projectId: project.id, apiKey, account, address: client.address };
}
