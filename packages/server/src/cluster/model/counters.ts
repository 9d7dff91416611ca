import type { Body } from '../body.ts';
import { encodeBatch } from '../body.ts';
import { type ChainPosition, FIRST_POSITION } from '../chain.ts';
import type { View } from '../follower.ts';
import type { Proposal, Proposer } from '../sequencer.ts';

/** A request of a client. Its session and number stay the same when the client sends it again. */
export interface CounterRequest {
  readonly session: number;
  readonly n: number;
  readonly key: number;
  /** The value that the counter must have; `null` for an increment without a condition. */
  readonly expected: number | null;
}

export type CounterAnswer =
  | { readonly kind: 'committed'; readonly value: number }
  /** The counter has another value. */
  | { readonly kind: 'stale'; readonly value: number };

/** The effect of a request: a counter goes from one value to the next. */
type Effect = readonly [session: number, n: number, key: number, before: number];

interface Done {
  readonly n: number;
  readonly value: number;
}

/** A state that no correct history has. */
export class Corruption extends Error {}

/**
 * Counters, and the last request of each session, as records leave them. Applying a record checks that it was computed
 * from this state, and that no request is executed twice.
 */
export class CounterView implements View {
  position: ChainPosition = FIRST_POSITION;
  readonly values = new Map<number, number>();
  readonly done = new Map<number, Done>();
  /** Records so far, to build the view again after a crash. */
  readonly applied: { readonly body: Body; readonly position: ChainPosition }[] = [];

  /** Returns the view as a crash leaves it that loses its last `lost` records. */
  crashed(lost: number): CounterView {
    const view = new CounterView();
    for (const { body, position } of this.applied.slice(0, Math.max(0, this.applied.length - lost)))
      view.apply(body, position);
    return view;
  }

  /** Returns the requests that the record executed. */
  apply(body: Body, position: ChainPosition): readonly (Done & { readonly session: number })[] {
    const effects = body.kind === 'batch' ? (JSON.parse(body.payload.toString()) as readonly Effect[]) : [];
    for (const effect of effects) this.#applyEffect(effect);
    this.position = position;
    this.applied.push({ body, position });
    return effects.map(([session, n, , before]) => ({ session, n, value: before + 1 }));
  }

  #applyEffect([session, n, key, before]: Effect): void {
    const value = this.values.get(key) ?? 0;
    if (value !== before)
      throw new Corruption(`counter ${key} goes from ${before} to ${before + 1}, but it is ${value}`);
    if ((this.done.get(session)?.n ?? 0) >= n)
      throw new Corruption(`request ${n} of session ${session} is executed twice`);
    this.values.set(key, value + 1);
    this.done.set(session, { n, value: value + 1 });
  }
}

/** A request with the way to its client. */
interface Waiting {
  readonly request: CounterRequest;
  /** `undefined` if the client has to try another node. */
  readonly answer: (answer: CounterAnswer | undefined) => void;
}

const MAX_REQUESTS = 1;

/** Evaluates requests on a view and on the effects in flight. */
export class CounterProposer implements Proposer {
  readonly #view: CounterView;
  /** Effects that are proposed and not settled, in order. */
  readonly #overlay: (readonly Effect[])[] = [];
  #inbox: Waiting[] = [];

  constructor(view: CounterView) {
    this.#view = view;
  }

  submit(waiting: Waiting): void {
    this.#inbox.push(waiting);
  }

  next(): Proposal | undefined {
    const taken = this.#inbox.splice(0, MAX_REQUESTS);
    if (taken.length === 0) return undefined;
    const effects: Effect[] = [];
    this.#overlay.push(effects);
    const answers = taken.map(({ request }) => {
      const answer = this.#evaluate(request, effects);
      return { answer, effects: effects.length };
    });
    return {
      body: effects.length === 0 ? null : encodeBatch(Buffer.from(JSON.stringify(effects))),
      settle: (isCommitted) => {
        this.#overlay.splice(this.#overlay.indexOf(effects), 1);
        taken.forEach(({ request: { key }, answer }, index) => {
          const decided = answers[index];
          const later = effects.slice(decided?.effects).filter(([, , of]) => of === key).length;
          if (isCommitted && decided?.answer?.kind === 'stale')
            this.#checkStale(key, decided.answer.value + later);
          answer(isCommitted ? decided?.answer : undefined);
        });
      },
    };
  }

  endTerm(): void {
    if (this.#overlay.length > 0) throw new Corruption('a term ended before all proposals were settled');
    const waiting = this.#inbox;
    this.#inbox = [];
    for (const { answer } of waiting) answer(undefined);
  }

  #evaluate({ session, n, key, expected }: CounterRequest, effects: Effect[]): CounterAnswer | undefined {
    const done = this.#findDone(session);
    if (done !== undefined && done.n >= n)
      return done.n === n ? { kind: 'committed', value: done.value } : undefined;
    const value = this.#findValue(key);
    if (expected !== null && expected !== value) return { kind: 'stale', value };
    effects.push([session, n, key, value]);
    return { kind: 'committed', value: value + 1 };
  }

  #findDone(session: number): Done | undefined {
    const effect = this.#overlay.flat().findLast(([of]) => of === session);
    return effect === undefined ? this.#view.done.get(session) : { n: effect[1], value: effect[3] + 1 };
  }

  #findValue(key: number): number {
    const effect = this.#overlay.flat().findLast(([, , of]) => of === key);
    return effect === undefined ? (this.#view.values.get(key) ?? 0) : effect[3] + 1;
  }

  /** A rejection is only sent once the state on which it was decided is committed. */
  #checkStale(key: number, expected: number): void {
    const value = this.#view.values.get(key) ?? 0;
    if (value !== expected)
      throw new Corruption(`a rejection saw ${expected} in counter ${key}, which is ${value}`);
  }
}
