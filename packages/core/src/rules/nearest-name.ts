/** Longest name that is compared, with candidates half as long again at most: the work grows with the product of the lengths. */
const MAX_LENGTH = 40;

/** A sentence to append to a problem with an unknown name; empty if no candidate is near. */
export function didYouMean(name: string, candidates: Iterable<string>): string {
  const nearest = findNearestName(name, candidates);
  return nearest === undefined ? '' : ` Did you mean '${nearest}'?`;
}

/**
 * The candidate that was probably meant: equal but for case, or a third of its characters at most inserted, left out,
 * replaced or swapped with their neighbour. The first of several that are equally near.
 */
function findNearestName(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  let nearest: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const candidate of candidates) {
    // Of names that differ more in length, each further character is one to insert or to leave out.
    if (Math.abs(candidate.length - name.length) > candidate.length / 3) continue;
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase());
    if (distance < least && distance <= candidate.length / 3) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

/** Characters to insert, leave out, replace or swap with their neighbour to make `b` of `a`. */
function editDistance(a: string, b: string): number {
  let beforePrevious: readonly number[] = [];
  let previous: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row.push(
        Math.min(
          at(previous, j) + 1,
          at(row, j - 1) + 1,
          at(previous, j - 1) + (isSame ? 0 : 1),
          isSwapped ? at(beforePrevious, j - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
