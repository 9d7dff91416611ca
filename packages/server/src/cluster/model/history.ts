import { decodeBody } from '../body.ts';
import { ChainReader, FIRST_POSITION, type ValidityRule } from '../chain.ts';
import { Corruption, type CounterAnswer, type CounterRequest, CounterView } from './counters.ts';

/** The answers that clients received, to compare them with the log. */
export class History {
  readonly #acknowledged: { readonly request: CounterRequest; readonly value: number }[] = [];
  #rejected = 0;

  get acknowledged(): number {
    return this.#acknowledged.length;
  }

  get rejected(): number {
    return this.#rejected;
  }

  record(request: CounterRequest, answer: CounterAnswer): void {
    if (answer.kind === 'committed') this.#acknowledged.push({ request, value: answer.value });
    else this.#rejected += 1;
  }

  /**
   * Reads the log without the code of the nodes. Throws `Corruption` unless each acknowledged request is in it once
   * with its result, and the views of all nodes are the state that the log describes.
   */
  check(messages: readonly Buffer[], views: readonly CounterView[], rule?: ValidityRule): void {
    const reader = new ChainReader(FIRST_POSITION, rule);
    const expected = new CounterView();
    const results = new Map<string, number>();
    messages.forEach((message, index) => {
      const reading = reader.read({ slot: index + 1, message });
      if (reading.kind === 'unreadable') throw new Corruption(reading.reason);
      if (reading.kind !== 'record') return;
      const body = decodeBody(reading.record.body);
      if (typeof body === 'string') throw new Corruption(body);
      for (const { session, n, value } of expected.apply(body, reader.boundary))
        results.set(`${session}/${n}`, value);
    });
    for (const { request, value } of this.#acknowledged)
      if (results.get(`${request.session}/${request.n}`) !== value)
        throw new Corruption(`acknowledged request ${request.n} of session ${request.session} is lost`);
    for (const view of views)
      if (describeView(view) !== describeView(expected))
        throw new Corruption('the view of a node is not the state that the log describes');
  }
}

function describeView({ values, done, position }: CounterView): string {
  return JSON.stringify([[...values].sort(), [...done].sort(), position.hash]);
}
