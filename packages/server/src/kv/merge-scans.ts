/** What a scan says of a key: its value, or that there is none. */
export interface Said {
  readonly key: Buffer;
  readonly value: Buffer | undefined;
}

/**
 * What several scans of one range say together, in their common order. Where they speak of the same key, the first of them
 * counts. Reads of each no more than one pair ahead.
 */
export function* mergeScans(scans: readonly Iterable<Said>[], isReversed: boolean): Generator<Said> {
  const sign = isReversed ? -1 : 1;
  const iterators = scans.map((scan) => scan[Symbol.iterator]());
  const heads = iterators.map(next);
  for (;;) {
    let first: Said | undefined;
    for (const head of heads)
      if (head !== undefined && (first === undefined || sign * head.key.compare(first.key) < 0)) first = head;
    if (first === undefined) return;
    const { key } = first;
    yield first;
    for (const [place, iterator] of iterators.entries())
      if (heads[place]?.key.equals(key) === true) heads[place] = next(iterator);
  }
}

function next(iterator: Iterator<Said>): Said | undefined {
  const step = iterator.next();
  return step.done === true ? undefined : step.value;
}
