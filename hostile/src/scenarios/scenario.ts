import type { Entry, Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Replacement } from '../server/replacement.ts';

/** Counts of an attacker's actions and of the received responses, by name. */
export type AttackCounts = Readonly<Record<string, number>>;

/** Counts of an attacker's actions that grow during the attack. */
export interface Tally {
  add(name: string, amount?: number): void;
  /** Counts the status of a response, such as `answered 503`. */
  addStatus(status: number | string): void;
}

/**
 * The attack of a scenario. It runs in its own process, which ends soon after the signal is aborted. The operating
 * system then closes the connections of the attack.
 */
export type Attack = (target: Target, signal: AbortSignal, tally: Tally) => Promise<void>;

/** Higher bounds for a scenario than the common ones, with the reason. */
export interface Allowance {
  readonly delayMs?: number;
  readonly growthMiB?: number;
  readonly diskMiB?: number;
  readonly reason: string;
}

/** One kind of attack, with the bounds that the server must keep while it runs. */
export interface Scenario {
  readonly name: string;
  /** The attack in one sentence. */
  readonly attacker: string;
  /** The limits that bound the effect, in one sentence. */
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
  /**
   * Whether the attack continues after `attackMs` until it has made all its requests, because a busy machine delays
   * them.
   */
  readonly lastsUntilComplete?: boolean;
  /** Rules in addition to those of the crowd. The attackers may read and write below `/open` in any case. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Prepares the server as an administrator. */
  readonly prepare?: (hearth: Hearth) => Promise<void>;
  readonly attack: Attack;
  /** Returns one sentence for each count that shows that the attack was not effective. */
  readonly checkCounts?: (counts: AttackCounts) => readonly string[];
  /** Asks the server as an administrator after the attack. Returns one sentence for each sign that a limit was not reached. */
  readonly checkServer?: (hearth: Hearth) => Promise<readonly string[]>;
  readonly allows?: Allowance;
  /**
   * Why the server does not keep the bounds yet. Only `npm run hostile` runs such a scenario, and reports its
   * figures.
   */
  readonly weakness?: string;
  /** What a run removes from the server to show that the scenario notices: without it, the scenario must fail. */
  readonly proof?: readonly Replacement[];
  /** Why there is nothing to remove, as a clause. A scenario has either this, a proof or a weakness. */
  readonly unproven?: string;
}

/** For attacks with many connections, all of which end with the process of the attacker. */
export const ENDS_AT_ONCE: Allowance = {
  delayMs: 150,
  reason: 'the system reports the end of 1,000 connections of a process at once',
};
