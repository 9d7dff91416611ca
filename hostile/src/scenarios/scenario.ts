import type { Entry, Target } from '../network/target.ts';
import type { Hearth } from '../server/hearth.ts';
import type { Replacement } from '../server/replacement.ts';

/** Counts of what an attacker did and what it received, by name. */
export type AttackCounts = Readonly<Record<string, number>>;

/** The attack of a scenario. It runs in a process of its own, and must end soon after the signal is aborted. */
export type Attack = (target: Target, signal: AbortSignal) => Promise<AttackCounts>;

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
  /** Duration of the attack; 5 s unless given. */
  readonly attackMs?: number;
  /** Rules beside those of the crowd. The attackers may read and write below `/open` in any case. */
  readonly rules?: Readonly<Record<string, unknown>>;
  /** Prepares the server as an administrator. The returned texts reach the attack as `target.prepared`. */
  readonly prepare?: (hearth: Hearth) => Promise<Readonly<Record<string, string>>>;
  readonly attack: Attack;
  /** Returns sentences about counts that show that the attack did not do what it should. */
  readonly checkCounts?: (counts: AttackCounts) => readonly string[];
  readonly allows?: Allowance;
  /** The limits without which the scenario must fail. */
  readonly proof?: readonly Replacement[];
}
