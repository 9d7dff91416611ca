/** From `start` to `end` in UTF-16 units of the expression. */
interface Range {
  readonly start: number;
  readonly end: number;
}

/** A word of an expression. `symbol` is any punctuation of JavaScript, also what rules may not contain. */
export type Token =
  | (Range & { readonly kind: 'number'; readonly value: number })
  | (Range & { readonly kind: 'string'; readonly value: string })
  | (Range & { readonly kind: 'name'; readonly name: string })
  | (Range & { readonly kind: 'regular-expression'; readonly source: string; readonly flags: string })
  | (Range & { readonly kind: 'symbol'; readonly symbol: string })
  | (Range & { readonly kind: 'end' });
