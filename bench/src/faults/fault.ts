import type { Random } from '../../../scripts/random.ts';
import type { FaultBed } from './bed.ts';
import type { Need } from './machine.ts';
import type { Seen } from './seen.ts';

/** What a fault may do to the server and its clients. Everything else is a violation. */
export type Expectation = {
  /** Whether the process goes on, or ends and is started again by the bench. */
  readonly process: 'goes on' | 'ends';
  /** Whether connections may end although the process goes on. */
  readonly mayDisconnect?: boolean;
  /** Whether clients that are not connected may find no server. */
  readonly mayRejectConnections?: boolean;
  /** The answers with which requests may be rejected while the fault lasts. */
  readonly rejections?: readonly RegExp[];
  /** A sentence that the log must contain after the fault. */
  readonly logged?: RegExp;
};

/** A fault of the system on which a server runs. It begins and ends while clients use the server. */
export type Fault = {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Time between begin and end in ms, at least. */
  readonly lastsMs: number;
  /** The same in a short run; without it, as long as always. */
  readonly shortMs?: number;
  readonly expected: Expectation;
  /** Makes the fault. Returns what the server did wrong while it began, as sentences. */
  begin(bed: FaultBed, random: Random): Promise<readonly string[]>;
  /** Ends the fault, and starts the server if the fault ends it. */
  end(bed: FaultBed, random: Random): Promise<readonly string[]>;
  /** Whether the fault has reached the server. Without it, a fault that has begun has reached it. */
  hasEffect?(bed: FaultBed, seen: Seen): boolean;
};

/** The answers of a server whose disk is full. */
export const DISK_FULL: readonly RegExp[] = [
  /^unavailable: .*disk that holds the data is full/,
  /^507: .*disk that holds the data is full/,
  /^503: The service is temporarily unavailable/,
];

export const NO_PROBLEMS: readonly string[] = [];
