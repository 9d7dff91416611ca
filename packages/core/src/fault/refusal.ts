import { REFUSALS, type RefusalCode, type RefusalSpec } from './codes.ts';

/** The one error that crosses a protocol: a request of a peer is refused, for a reason from the table. */
export class Refusal extends Error {
  readonly code: RefusalCode;

  /** `detail` replaces the table's sentence when it can say more precisely what to do. */
  constructor(code: RefusalCode, detail?: string, options?: { readonly cause: unknown }) {
    super(detail ?? REFUSALS[code].text, options);
    this.name = 'Refusal';
    this.code = code;
  }

  get spec(): RefusalSpec {
    return REFUSALS[this.code];
  }
}
