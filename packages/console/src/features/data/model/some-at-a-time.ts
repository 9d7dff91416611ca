/** Does something with every item, with at most `most` under way at a time, and returns what came of it in order. */
export async function someAtATime<T, R>(
  items: readonly T[],
  most: number,
  act: (item: T) => Promise<R>,
  onDone: (count: number) => void = () => {},
): Promise<readonly R[]> {
  const results: R[] = [];
  for (let first = 0; first < items.length; first += most) {
    results.push(...(await Promise.all(items.slice(first, first + most).map(act))));
    onDone(results.length);
  }
  return results;
}
