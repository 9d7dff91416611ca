import type { Account, SecondFactor } from '../account.ts';
import type { Fields, JsonObject } from '../fields.ts';
import type { IdentityServices } from '../identity-services.ts';
import type { Project } from '../project.ts';
import type { ProjectSettings } from '../project-settings.ts';

/** Whose second factor it is, and what a step works with. */
export interface FactorStep {
  readonly project: Project;
  readonly services: IdentityServices;
  readonly account: Account;
  readonly nowMs: number;
}

/** What all kinds of second factor have. */
export type FactorName = Pick<SecondFactor, 'enrollmentId' | 'displayName' | 'enrolledAtMs'>;

/** A factor that has just been enrolled, and what whoever enrolled it is told beside the tokens. */
export interface EnrolledFactor {
  readonly factor: SecondFactor;
  readonly answer: JsonObject;
}

/** A second proof that was right. */
export interface SecondProof {
  readonly by: 'factor' | 'recovery-code';
  /** The account as it is to be kept, so that the same proof is not right again. */
  readonly account: Account;
}

/**
 * What distinguishes one kind of second factor from others, step by step. A step decides within a turn: it is quick, and
 * throws an `IdentityError` for what is wrong with the request itself.
 */
export interface FactorKind {
  readonly name: SecondFactor['kind'];
  /** Members that make a request one about this kind, and hold what it says about it. */
  readonly blocks: {
    readonly startEnrollment: string;
    /** When enrolling and when signing in. */
    readonly finish: string;
  };
  isOffered(settings: ProjectSettings): boolean;
  /** Is it offered to members in any case? */
  readonly isForMembers: boolean;
  /** Says that it is not offered. */
  readonly notOffered: string;
  /** What is said of an account that has one and may not have two; `null` where it may. */
  readonly onlyOne: string | null;
  startEnrollment(step: FactorStep, block: Fields): JsonObject;
  finishEnrollment(step: FactorStep, block: Fields, name: FactorName): EnrolledFactor;
  /** `null` for a kind whose proof needs nothing from the server. */
  readonly startSignIn: ((step: FactorStep, factor: SecondFactor) => JsonObject) | null;
  /** `undefined` when the proof is wrong. */
  finishSignIn(step: FactorStep, factor: SecondFactor, block: Fields): SecondProof | undefined;
}
