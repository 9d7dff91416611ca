import type { Random } from '../../../scripts/random.ts';
import type { FaultBed } from './bed.ts';
import type { Need } from './machine.ts';
import type { Seen } from './seen.ts';

/** The effects that a fault may have on the server and its clients. Any other effect is a violation. */
export type Expectation = {
  /** Whether the process continues, or ends and the bench starts it again. */
  readonly process: 'goes on' | 'ends';
  /** Whether connections may end although the process continues. */
  readonly mayDisconnect?: boolean;
  /** Whether clients that are not connected may find no server. */
  readonly mayRejectConnections?: boolean;
  /** The answers with which the server may reject requests during the fault. */
  readonly rejections?: readonly RegExp[];
  /** A sentence that the log must contain after the fault. */
  readonly logged?: RegExp;
};

/** A fault of the system on which a server runs. It begins and ends while clients use the server. */
export type Fault = {
  readonly name: string;
  readonly needs: readonly Need[];
  /** Minimum time between the begin and the end, in ms. */
  readonly lastsMs: number;
  /** The same time in a short run. The default is `lastsMs`. */
  readonly shortMs?: number;
  readonly expected: Expectation;
  /** Begins the fault. Returns one sentence for each mistake that the server made at the begin. */
  begin(bed: FaultBed, random: Random): Promise<readonly string[]>;
  /** Ends the fault, and starts the server if the fault ends it. */
  end(bed: FaultBed, random: Random): Promise<readonly string[]>;
  /** Whether the fault has affected the server. If absent, a fault affects the server as soon as it has begun. */
  hasEffect?(bed: FaultBed, seen: Seen): boolean;
};

/** The answers of a server whose disk is full. */
export const DISK_FULL: readonly RegExp[] = [
  /^unavailable: .*disk that holds the data is full/,
  /^507: .*disk that holds the data is full/,
  /^503: The service is temporarily unavailable/,
];

export const NO_PROBLEMS: readonly string[] = [];
