import type { Entry, Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Replacement } from '../server/replacement.ts';

/** Counts of what an attacker did and what it received, by name. */
export type AttackCounts = Readonly<Record<string, number>>;

/** Counts of what an attacker did, which grow during the attack. */
export interface Tally {
  add(name: string, amount?: number): void;
  /** Counts the status of a response, such as `answered 503`. */
  addStatus(status: number | string): void;
}

/**
 * The attack of a scenario. It runs in a process of its own, which ends soon after the signal is aborted: what the attack
 * has opened by then is closed by the system.
 */
export type Attack = (target: Target, signal: AbortSignal, tally: Tally) => Promise<void>;

/** What a scenario allows beyond the common bounds, with the reason. */
export interface Allowance {
  readonly delayMs?: number;
  readonly growthMiB?: number;
  readonly diskMiB?: number;
  readonly reason: string;
}

/** One kind of attack, with what must hold while it runs. */
export interface Scenario {
  readonly name: string;
  /** What the attacker does, in one sentence. */
  readonly attacker: string;
  /** What bounds the effect, in one sentence. */
  readonly bound: string;
  /** Whether the scenario is part of `npm test`. */
  readonly isShort?: boolean;
  /** `proxied` unless given. */
  readonly entry?: Entry;
  /** Value of `--memory`, in MiB; 256 unless given. */
  readonly memoryMiB?: number;
  readonly maxFiles?: number;
  /** More options of `hearth serve`. */
  readonly args?: readonly string[];
  /** Duration of the attack; 5 s unless given. */
  readonly attackMs?: number;
  /** Whether the attack lasts longer if it has not done all that it wants by then, as on a busy machine. */
  readonly lastsUntilComplete?: boolean;
  /** Rules beside those of the crowd. The attackers may read and write below `/open` in any case. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Prepares the server as an administrator. */
  readonly prepare?: (hearth: Hearth) => Promise<void>;
  readonly attack: Attack;
  /** Returns sentences about counts that show that the attack did not do what it should. */
  readonly checkCounts?: (counts: AttackCounts) => readonly string[];
  readonly allows?: Allowance;
  /** Why the scenario does not hold yet. It is then run by `npm run hostile` only, which reports its figures. */
  readonly weakness?: string;
  /** The limits without which the scenario must fail. */
  readonly proof?: readonly Replacement[];
}

/** For attacks with many connections, all of which end with the process of the attacker. */
export const ENDS_AT_ONCE: Allowance = {
  delayMs: 150,
  reason: 'the system reports the end of 1,000 connections of a process at once',
};
