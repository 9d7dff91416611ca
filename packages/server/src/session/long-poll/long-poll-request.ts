import { Refusal } from '@hearth/core/fault/refusal.ts';
import type { Segment } from '@hearth/core/wire/segment-sequence.ts';

/** What a client presents of its connection. */
export interface LongPollCredential {
  readonly id: string;
  readonly password: string;
}

/** A request of a client that polls. */
export type LongPollRequest =
  | {
      readonly kind: 'start';
      /** Decimal number of the client's functions. */
      readonly callback: string;
      readonly version: string | null;
      readonly lastSessionId: string | null;
    }
  /** Wants the page that says when the client's page is left. */
  | { readonly kind: 'leave-page' }
  | { readonly kind: 'leave'; readonly credential: LongPollCredential }
  | {
      readonly kind: 'poll';
      readonly credential: LongPollCredential;
      readonly segments: readonly Segment[];
    };

/** Becomes part of a script. */
const CALLBACK = /^[0-9]{1,15}$/;
const NUMBER = /^[0-9]{1,15}$/;

/** Clients put a few dozen into one address. */
const MAX_SEGMENTS = 256;

/** Reads the parameters of an address. Refuses with `request/malformed` a start that cannot be answered by a script. */
export function parseLongPollRequest(query: URLSearchParams): LongPollRequest {
  // Looked up by name many times; of a repeated name the last counts.
  const parameters = new Map(query);
  if (parameters.has('start')) return parseStart(parameters);
  if (parameters.has('dframe')) return { kind: 'leave-page' };
  const credential = { id: parameters.get('id') ?? '', password: parameters.get('pw') ?? '' };
  if (parameters.has('disconn')) return { kind: 'leave', credential };
  return { kind: 'poll', credential, segments: parseSegments(parameters) };
}

function parseStart(parameters: ReadonlyMap<string, string>): LongPollRequest {
  const callback = parameters.get('cb') ?? '';
  if (!CALLBACK.test(callback))
    throw new Refusal(
      'request/malformed',
      'The parameter "cb" is the decimal number of a callback: add cb=1.',
    );
  return {
    kind: 'start',
    callback,
    version: parameters.get('v') ?? null,
    lastSessionId: parameters.get('ls') ?? null,
  };
}

function parseSegments(parameters: ReadonlyMap<string, string>): readonly Segment[] {
  const segments: Segment[] = [];
  for (let i = 0; i < MAX_SEGMENTS; i++) {
    const number = parameters.get(`seg${i}`);
    if (number === undefined) break;
    segments.push({
      number: parseNumber(number),
      count: parseNumber(parameters.get(`ts${i}`) ?? ''),
      data: parameters.get(`d${i}`) ?? '',
    });
  }
  return segments;
}

/** Not a number if it is none, which whoever puts segments together refuses. */
function parseNumber(text: string): number {
  return NUMBER.test(text) ? Number(text) : Number.NaN;
}
