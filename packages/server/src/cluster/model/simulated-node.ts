import type { ValidityRule } from '../chain.ts';
import type { StopReason } from '../follower.ts';
import { Member } from '../member.ts';
import type { ReplicatedLog } from '../replicated-log.ts';
import type { Timers } from '../timers.ts';
import { CounterProposer, CounterView } from './counters.ts';
import type { SimulatedServers } from './simulated-log.ts';
import type { VirtualTime } from './virtual-time.ts';

export interface SimulatedNodeOptions {
  readonly name: string;
  readonly time: VirtualTime;
  readonly servers: SimulatedServers;
  readonly rule?: ValidityRule | undefined;
}

/** Small enough that some records of the simulation have several messages. */
const MAX_BODY_BYTES = 24;

/** A node that can crash, freeze and start again. Its view survives a crash, except for the last records. */
export class SimulatedNode {
  readonly #options: SimulatedNodeOptions;
  #incarnation = 0;
  #frozenUntilMs = 0;
  #view = new CounterView();
  #proposer: CounterProposer;
  #member: Member;
  /** Why the node has stopped; `undefined` while it runs. */
  stopped: StopReason | undefined;

  constructor(options: SimulatedNodeOptions) {
    this.#options = options;
    this.#proposer = new CounterProposer(this.#view);
    this.#member = this.#start();
  }

  get view(): CounterView {
    return this.#view;
  }

  get proposer(): CounterProposer {
    return this.#proposer;
  }

  get member(): Member {
    return this.#member;
  }

  /**
   * Kills the process and starts it again. Its view loses the last `lostRecords` records. Messages that it sent still
   * arrive.
   */
  crash(lostRecords: number): void {
    this.#incarnation += 1;
    this.#frozenUntilMs = 0;
    this.stopped = undefined;
    this.#view = this.#view.crashed(lostRecords);
    this.#proposer = new CounterProposer(this.#view);
    this.#member = this.#start();
  }

  /** Suspends the process for `ms` milliseconds. Arriving messages wait. */
  freeze(ms: number): void {
    this.#frozenUntilMs = this.#options.time.elapsedMs() + ms;
  }

  /**
   * Runs an action in the process. If the process is frozen, the action waits. If the process crashes first, the action is
   * dropped.
   */
  run(action: () => void): void {
    this.#gate(this.#incarnation, action);
  }

  #gate(incarnation: number, action: () => void): void {
    if (incarnation !== this.#incarnation) return;
    const waitMs = this.#frozenUntilMs - this.#options.time.elapsedMs();
    if (waitMs > 0) this.#options.time.after(waitMs, () => this.#gate(incarnation, action));
    else action();
  }

  #start(): Member {
    const { name, time, servers, rule } = this.#options;
    const incarnation = this.#incarnation;
    const gate = (action: () => void): void => this.#gate(incarnation, action);
    const log = servers.connect();
    const gated: ReplicatedLog = {
      append: (expectedLast, message, done) =>
        log.append(expectedLast, message, (outcome) => gate(() => done(outcome))),
      read: (from, max, done) => log.read(from, max, (messages) => gate(() => done(messages))),
      extent: (done) => log.extent((extent) => gate(() => done(extent))),
      trim: (first, done) => log.trim(first, (isDone) => gate(() => done(isDone))),
      publish: (bytes) => log.publish(bytes),
      subscribe: (receive) => log.subscribe((bytes) => gate(() => receive(bytes))),
    };
    const timers: Timers = {
      elapsedMs: () => time.elapsedMs(),
      after: (ms, action) => time.after(ms, () => gate(action)),
    };
    return new Member({
      shard: 'simulation',
      node: name,
      incarnation: String(incarnation),
      log: gated,
      view: this.#view,
      proposer: this.#proposer,
      timers,
      rule,
      maxBodyBytes: MAX_BODY_BYTES,
      onStop: (reason) => {
        this.stopped = reason;
      },
    });
  }
}
