import { hash } from 'node:crypto';
import type { Clock } from '../ops/clock.ts';
import type { ClientInfo, IdentityCall } from './identity-call.ts';
import { IdentityError, IdentityOverload } from './identity-error.ts';
import { addressLayers } from './throttling/address-layers.ts';
import { Budgets } from './throttling/budgets.ts';
import { type Guess, PasswordGuesses } from './throttling/password-guesses.ts';
import type { ProjectQuota, ThrottleLimits } from './throttling/throttle-limits.ts';

export interface ThrottleOptions {
  readonly clock: Clock;
  readonly limits: ThrottleLimits;
}

/** When clients are to come back that ask for tokens and accounts without a pause. */
const RETRY_AFTER_SEC = 5;

/** A password that is being verified. Disposed of untold, it counts neither as right nor as wrong. */
export interface PasswordAttempt extends Disposable {
  tell(isRight: boolean): void;
}

/** What is taken from. */
interface Charge {
  readonly budgets: Budgets;
  readonly key: string;
}

/** Slows down who guesses, who makes accounts by the thousand, and who asks without a pause. Forgets all at a restart. */
export class Throttle {
  readonly #clock: Clock;
  readonly #guesses: PasswordGuesses;
  readonly #signUpHosts: Budgets;
  readonly #signUpSites: Budgets;
  readonly #newPasswordAccounts: Budgets;
  readonly #newPasswordHosts: Budgets;
  readonly #ownChanges: Budgets;
  readonly #mailHosts: Budgets;
  readonly #mailSites: Budgets;
  readonly #testMails: Budgets;
  readonly #requests: Budgets;
  readonly #ofProject: Readonly<Record<ProjectQuota, Budgets>>;

  constructor({ clock, limits }: ThrottleOptions) {
    this.#clock = clock;
    this.#guesses = new PasswordGuesses(limits);
    this.#signUpHosts = new Budgets(limits.signUps.host, limits.maxKeys);
    this.#signUpSites = new Budgets(limits.signUps.site, limits.maxKeys);
    this.#newPasswordAccounts = new Budgets(limits.newPasswords.account, limits.maxKeys);
    this.#newPasswordHosts = new Budgets(limits.newPasswords.host, limits.maxKeys);
    this.#ownChanges = new Budgets(limits.ownChanges, limits.maxKeys);
    this.#mailHosts = new Budgets(limits.mails.host, limits.maxKeys);
    this.#mailSites = new Budgets(limits.mails.site, limits.maxKeys);
    this.#testMails = new Budgets(limits.testMails, limits.maxKeys);
    this.#requests = new Budgets(limits.requests, limits.maxKeys);
    const { deletions, batchDeletions, configChanges } = limits.ofProject;
    this.#ofProject = {
      deletions: new Budgets(deletions, limits.maxKeys),
      batchDeletions: new Budgets(batchDeletions, limits.maxKeys),
      configChanges: new Budgets(configChanges, limits.maxKeys),
    };
  }

  /** Refuses with `TOO_MANY_ATTEMPTS_TRY_LATER` an address that has made too many accounts, and counts this one. */
  mustAllowSignUp(call: IdentityCall): void {
    if (!this.#takeOfAddress(call, this.#signUpHosts, this.#signUpSites))
      throw new IdentityError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many accounts were made from this network. Try again later.',
      );
  }

  /** Refuses with the same an account or an address with too many new passwords of accounts, and counts this one. */
  mustAllowNewPassword({ project, client }: IdentityCall, uid: string): void {
    const { host } = addressLayers(client.address);
    const isLeft = this.#take([
      { budgets: this.#newPasswordAccounts, key: `${project.id} ${uid}` },
      { budgets: this.#newPasswordHosts, key: `${project.id} ${host}` },
    ]);
    if (!isLeft)
      throw new IdentityError('TOO_MANY_ATTEMPTS_TRY_LATER', 'Too many passwords were set. Try again later.');
  }

  /** Refuses with the same an account that its holder has changed too often, and counts this change. */
  mustAllowOwnChange({ project }: IdentityCall, uid: string): void {
    if (!this.#take([{ budgets: this.#ownChanges, key: `${project.id} ${uid}` }]))
      throw new IdentityError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'The account was changed too often. Try again later.',
      );
  }

  /** Refuses with the same an address that has asked for too many mails, to whomever, and counts this one. */
  mustAllowMail(call: IdentityCall): void {
    if (!this.#takeOfAddress(call, this.#mailHosts, this.#mailSites))
      throw new IdentityError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many mails were asked for from this network. Try again later.',
      );
  }

  /** Refuses with the same a project of which too many test mails were sent, and counts this one. */
  mustAllowTestMail(projectId: string): void {
    if (!this.#take([{ budgets: this.#testMails, key: projectId }]))
      throw new IdentityError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many test mails were sent. Try again later.',
      );
  }

  /** Refuses with `QUOTA_EXCEEDED` a project to which too much of something happened, and counts this time. */
  mustAllowInProject(projectId: string, quota: ProjectQuota): void {
    if (!this.#take([{ budgets: this.#ofProject[quota], key: projectId }]))
      throw new IdentityError(
        'QUOTA_EXCEEDED',
        `Exceeded quota for ${QUOTA_NAMES[quota]}. Try again in a second.`,
      );
  }

  /** Refuses with `TOO_MANY_ATTEMPTS_TRY_LATER` to verify a password for an address for which, or from where, too many were wrong. */
  mustAllowPassword(call: IdentityCall, email: string): PasswordAttempt {
    const end = this.#guesses.begin(guessOf(call, email), this.#clock.elapsedMs());
    if (end === undefined)
      throw new IdentityError(
        'TOO_MANY_ATTEMPTS_TRY_LATER',
        'Too many wrong passwords. Reset the password, or try again later.',
      );
    let isTold = false;
    const tell = (result: 'right' | 'wrong' | 'undecided'): void => {
      if (!isTold) end(result, this.#clock.elapsedMs());
      isTold = true;
    };
    return {
      tell: (isRight) => tell(isRight ? 'right' : 'wrong'),
      [Symbol.dispose]: () => tell('undecided'),
    };
  }

  /** Lets whoever has reset or changed the password of an account sign in at once. */
  lift(call: IdentityCall, email: string): void {
    this.#guesses.lift(guessOf(call, email), this.#clock.elapsedMs());
  }

  /** Refuses with an `IdentityOverload` an address from which lookups and refreshes come without a pause. */
  mustAllowRequest({ client }: { readonly client: Pick<ClientInfo, 'address'> }): void {
    const { host } = addressLayers(client.address);
    if (!this.#take([{ budgets: this.#requests, key: host }])) throw new IdentityOverload(RETRY_AFTER_SEC);
  }

  /** Takes one of what the networks of an address have of a project; nothing if one of them has none left. */
  #takeOfAddress({ project, client }: IdentityCall, hosts: Budgets, sites: Budgets): boolean {
    const { host, site } = addressLayers(client.address);
    return this.#take([
      { budgets: hosts, key: `${project.id} ${host}` },
      { budgets: sites, key: `${project.id} ${site}` },
    ]);
  }

  /** Takes one of each; nothing if one of them has none left. */
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

/** Addresses themselves are not kept. */
function guessOf({ project, caller, client }: IdentityCall, email: string): Guess {
  const account = hash('sha256', `${project.id}\0${email}`, 'base64url');
  const apiKey = caller.kind === 'app' ? caller.apiKey : null;
  return { projectId: project.id, apiKey, account, address: client.address };
}
