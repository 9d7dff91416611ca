/** What a feed has to tell: an event as text of an event stream, or nothing until it is woken or so many ms have passed. */
export type FeedStep =
  | {
      readonly kind: 'event';
      /** Bytes of the text, in order. Others may be told the same ones: nobody changes them. */
      readonly parts: readonly Buffer[];
    }
  | { readonly kind: 'wait'; readonly ms: number };

/** Where the events of one feed come from. It is asked when the reader has taken all before, and never afterwards. */
export interface FeedSource {
  next(): FeedStep;
  /** Called once: nobody asks any more. */
  end(): void;
}

export const NOTHING_TO_TELL: FeedStep = { kind: 'wait', ms: Number.POSITIVE_INFINITY };

/** An event of this name. JSON text has no line breaks. */
export function feedEvent(name: string, json: string): FeedStep {
  return { kind: 'event', parts: [Buffer.from(`event: ${name}\ndata: ${json}\n\n`)] };
}
