import type { ValidityRule } from '../chain.ts';
import { Choices } from './choices.ts';
import { Corruption, type CounterAnswer, type CounterRequest } from './counters.ts';
import { History } from './history.ts';
import { type Faults, NO_FAULTS, SimulatedServers } from './simulated-log.ts';
import { SimulatedNode } from './simulated-node.ts';
import { VirtualTime } from './virtual-time.ts';

export interface SimulationOptions {
  readonly seed: number;
  /** The rule that decides which messages count. */
  readonly rule?: ValidityRule;
}

export interface SimulationResult {
  /** The first violation; `undefined` if there was none. */
  readonly problem: string | undefined;
  readonly acknowledged: number;
  readonly rejected: number;
  readonly epochs: number;
  readonly deadMessages: number;
}

const NODES = 3;
const CLIENTS = 8;
const REQUESTS = 5;
const COUNTERS = 2;
const FAULTY_MS = 3_000;
/** After the faults are over, everything must be done within this time. */
const CALM_MS = 60_000;
const CLIENT_TIMEOUT_MS = 1_500;

/**
 * One history of a cluster in virtual time. Clients send requests to nodes, which crash, freeze, and claim terms during the
 * terms of others. Messages of the log are lost, delayed and doubled, and its leader dies. Then the faults end, and the
 * history is compared with the responses that the clients received.
 */
class Simulation {
  readonly #choices: Choices;
  readonly #time = new VirtualTime();
  readonly #servers: SimulatedServers;
  readonly #nodes: readonly SimulatedNode[];
  readonly #rule: ValidityRule | undefined;
  readonly #history = new History();
  /** Longest time between the answer to a client and its next request. */
  readonly #pauseMs: number;
  #unfinished = CLIENTS;

  constructor({ seed, rule }: SimulationOptions) {
    const choices = new Choices(seed);
    this.#choices = choices;
    this.#rule = rule;
    this.#pauseMs = choices.pick([0, 50, 400]);
    this.#servers = new SimulatedServers(this.#time, choices, chooseFaults(choices));
    this.#nodes = Array.from(
      { length: NODES },
      (_, index) =>
        new SimulatedNode({ name: `node-${index}`, time: this.#time, servers: this.#servers, rule }),
    );
  }

  run(): SimulationResult {
    let problem: string | undefined;
    try {
      this.#makeFaults();
      for (let session = 1; session <= CLIENTS; session++) this.#nextRequest(session, 1);
      this.#time.runUntil(() => false, FAULTY_MS);
      this.#servers.faults = NO_FAULTS;
      const isDone = this.#time.runUntil(() => this.#isSettled(), FAULTY_MS + CALM_MS);
      if (!isDone) throw new Corruption('the cluster does not finish its work after the faults are over');
      this.#history.check(
        this.#servers.messages,
        this.#nodes.map(({ view }) => view),
        this.#rule,
      );
    } catch (error) {
      if (!(error instanceof Corruption)) throw error;
      problem = error.message;
    }
    const [node] = this.#nodes;
    return {
      problem,
      acknowledged: this.#history.acknowledged,
      rejected: this.#history.rejected,
      epochs: node?.member.sequencer.follower.position.epoch ?? 0,
      deadMessages: Math.max(...this.#nodes.map(({ member }) => member.sequencer.follower.deadMessages)),
    };
  }

  #makeFaults(): void {
    const choices = this.#choices;
    for (let atMs = 0; atMs < FAULTY_MS; atMs += 20 + choices.below(400)) {
      const node = choices.pick(this.#nodes);
      const kind = choices.below(7);
      this.#time.after(atMs, () => {
        // A node that claims without need is a rival of the sequencer.
        if (kind <= 3) node.run(() => node.member.sequencer.claim());
        else if (kind === 4) node.crash(choices.below(3));
        else if (kind === 5) node.freeze(choices.below(1_500));
        else this.#servers.killLeader(choices.below(1_500));
      });
    }
  }

  #nextRequest(session: number, n: number): void {
    if (n > REQUESTS) {
      this.#unfinished -= 1;
      return;
    }
    const key = this.#choices.below(COUNTERS);
    const { view } = this.#choices.pick(this.#nodes);
    // Half of the requests have a condition on a value that some node shows, which may be an old one.
    const expected = this.#choices.happens(0.5) ? (view.values.get(key) ?? 0) : null;
    this.#send({ session, n, key, expected }, this.#choices.below(NODES));
  }

  /** Sends a request until a node answers it. */
  #send(request: CounterRequest, to: number): void {
    const node = this.#nodes[to];
    if (node === undefined) return;
    let isOver = false;
    const answer = (answered: CounterAnswer | undefined): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      if (answered === undefined) this.#time.after(20, () => this.#send(request, (to + 1) % NODES));
      else this.#onAnswer(request, answered);
    };
    const cancel = this.#time.after(CLIENT_TIMEOUT_MS, () => answer(undefined));
    this.#time.after(this.#choices.next() * 5, () =>
      node.run(() => {
        if (node.member.sequencer.epoch === undefined) answer(undefined);
        else {
          node.proposer.submit({
            request,
            answer: (answered) => this.#time.after(this.#choices.next() * 5, () => answer(answered)),
          });
          node.member.sequencer.wake();
        }
      }),
    );
  }

  #onAnswer(request: CounterRequest, answered: CounterAnswer): void {
    this.#history.record(request, answered);
    this.#time.after(this.#choices.next() * this.#pauseMs, () =>
      this.#nextRequest(request.session, request.n + 1),
    );
  }

  /** Returns whether the clients have all their answers and the nodes have all messages. */
  #isSettled(): boolean {
    if (this.#unfinished > 0) return false;
    const last = this.#servers.messages.length;
    return this.#nodes.every(({ member, stopped }) => {
      if (stopped !== undefined) throw new Corruption(`a node stopped: ${JSON.stringify(stopped)}`);
      return member.sequencer.follower.position.slot === last;
    });
  }
}

/** Chooses how bad the connections of a history are; some are good, so that only nodes fail. */
function chooseFaults(choices: Choices): Faults {
  const badness = choices.pick([0, 0.5, 1]);
  return {
    delayMs: choices.pick([2, 60, 250]),
    late: 0.03 * badness,
    lostRequest: 0.03 * badness,
    lostResponse: 0.05 * badness,
    doubled: 0.05 * badness,
    lostBulletin: 0.2 * badness,
    staleRead: 0.2 * badness,
  };
}

export function simulate(options: SimulationOptions): SimulationResult {
  return new Simulation(options).run();
}
