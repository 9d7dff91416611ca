import type { RecordStoreTransaction, RecordView } from '../../records/store.ts';
import type { Account, SecondFactor } from '../accounts/account.ts';
import { parseDisplayName } from '../accounts/field-parsers.ts';
import { AuthApiError } from '../errors.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { Project, ProjectSettings } from '../projects/project.ts';
import type { AuthRequest } from '../request.ts';
import type { AuthServices } from '../services.ts';

/** The context of one step of an enrollment or a sign-in. */
export interface FactorStep {
  readonly call: AuthRequest;
  readonly transaction: RecordStoreTransaction;
  readonly project: Project;
  readonly services: AuthServices;
  readonly account: Account;
  readonly nowMs: number;
}

/** The fields that all kinds of second factor share. */
export type SharedFactorFields = Pick<SecondFactor, 'enrollmentId' | 'displayName' | 'enrolledAtMs'>;

/** A newly enrolled factor, and the fields of the response in addition to the tokens. */
export interface EnrolledFactor {
  readonly factor: SecondFactor;
  readonly answer: JsonObject;
}

/** A proof of the second factor that was accepted. */
export interface FactorProof {
  readonly by: 'factor' | 'recovery-code';
  /** The account to save, so that the same proof is not valid again. */
  readonly account: Account;
  /** The fields of the response in addition to the tokens. */
  readonly answer: JsonObject;
}

/** A code that was not accepted. It is returned and not thrown, so that the transaction stores the attempt. */
export interface WrongProof {
  readonly by: 'nothing';
  readonly error: 'INVALID_CODE' | 'INVALID_SESSION_INFO';
}

/** The proof of a factor that a client sends to complete a sign-in. */
export interface GivenFactorProof {
  readonly block: Fields;
  /** The key of the pending sign-in. */
  readonly pendingKey: string;
}

/** How the server asks for the proof of a factor, for kinds whose proof needs something from the server. */
export interface FactorChallenge {
  /** The name of the request field that holds the parameters. */
  readonly block: string;
  /** Returns `isAppProven` of the challenge. Throws if the server may not start. Runs outside of transactions. */
  admit(
    call: AuthRequest,
    services: AuthServices,
    factor: SecondFactor,
    given: Omit<StartedChallenge, 'isAppProven'>,
  ): Promise<boolean>;
  start(step: FactorStep, factor: SecondFactor, given: StartedChallenge): JsonObject;
}

export interface StartedChallenge extends GivenFactorProof {
  /** Whether the server has not asked yet in this sign-in. */
  readonly isFirst: boolean;
  /** Whether the client has solved a proof of work. */
  readonly isAppProven: boolean;
}

/**
 * The behavior of one kind of second factor. Steps are synchronous and fast, because most of them run within a
 * transaction. They throw an `AuthApiError` if the request is invalid.
 */
export interface FactorKind {
  readonly name: SecondFactor['kind'];
  /** Names of the request fields that select this kind and hold its parameters. */
  readonly blocks: {
    readonly startEnrollment: string;
    /** For both enrollment and sign-in. */
    readonly finish: string;
  };
  isOffered(settings: ProjectSettings): boolean;
  /** Whether members may use this kind regardless of the project's settings. */
  readonly isForMembers: boolean;
  /** The error message if this kind is not offered. */
  readonly notOffered: string;
  /** The error message if the account already has a factor of this kind; `null` if it may have several. */
  readonly onlyOne: string | null;
  /**
   * Returns whether the client has solved a proof of work. Throws if the server may not start an enrollment. Runs outside
   * of transactions. `null` for no such check.
   */
  readonly admitEnrollment:
    | ((call: AuthRequest, services: AuthServices, block: Fields) => Promise<boolean>)
    | null;
  startEnrollment(step: FactorStep, block: Fields, isAppProven: boolean): JsonObject;
  finishEnrollment(step: FactorStep, block: Fields, shared: SharedFactorFields): EnrolledFactor | WrongProof;
  /** `null` for a kind whose proof needs nothing from the server. */
  readonly challenge: FactorChallenge | null;
  /**
   * Returns the id of the factor that a proof is for; `null` if the proof is not for a sign-in, which `finishSignIn`
   * rejects and counts. Throws if the request does not say.
   */
  factorIdOf(fields: Fields, block: Fields, records: RecordView): string | null;
  finishSignIn(step: FactorStep, factor: SecondFactor, given: GivenFactorProof): FactorProof | WrongProof;
}

/** Returns an account in which `factor` replaces the factor with the same id. */
export function withFactor(account: Account, factor: SecondFactor): Account {
  return {
    ...account,
    factors: account.factors.map((existing) =>
      existing.enrollmentId === factor.enrollmentId ? factor : existing,
    ),
  };
}

/** Returns an account with one more factor. If it had no factors, its old recovery codes are removed. */
export function withNewFactor(account: Account, factor: SecondFactor): Account {
  return {
    ...account,
    factors: [...account.factors, factor],
    recoveryCodes: account.factors.length === 0 ? [] : account.recoveryCodes,
  };
}

export function withoutFactor(account: Account, enrollmentId: string): Account {
  return withFactors(
    account,
    account.factors.filter((factor) => factor.enrollmentId !== enrollmentId),
  );
}

/**
 * Returns an account with `factors` instead of its own. Without any factors, its recovery codes are removed,
 * because they have no factor to replace.
 */
export function withFactors(account: Account, factors: readonly SecondFactor[]): Account {
  return { ...account, factors, recoveryCodes: factors.length === 0 ? [] : account.recoveryCodes };
}

/** Returns the id of the second factor that a request names. Throws `MISSING_MFA_ENROLLMENT_ID` if it names none. */
export function requireFactorId(fields: Fields): string {
  return fields.require(
    'mfaEnrollmentId',
    'MISSING_MFA_ENROLLMENT_ID',
    'No second factor identifier is provided.',
  );
}

/** Returns a factor of an account. Throws `MFA_ENROLLMENT_NOT_FOUND` if the account does not have it. */
export function requireFactor(account: Account, enrollmentId: string): SecondFactor {
  const factor = account.factors.find((candidate) => candidate.enrollmentId === enrollmentId);
  if (factor === undefined) throw new AuthApiError('MFA_ENROLLMENT_NOT_FOUND');
  return factor;
}

const MAX_NAME_LENGTH = 64;

/**
 * Returns the user's name for a second factor; `null` if it is empty. Throws `INVALID_ARGUMENT` if it is too
 * long.
 */
export function parseFactorName(fields: Fields): string | null {
  const name = parseDisplayName(fields.text('displayName') ?? '');
  if (name !== null && name.length > MAX_NAME_LENGTH)
    throw new AuthApiError(
      'INVALID_ARGUMENT',
      `The name of a second factor has at most ${MAX_NAME_LENGTH} characters.`,
    );
  return name;
}
