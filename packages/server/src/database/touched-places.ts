import type { Key } from '@hearth/core/tree/key.ts';
import type { CommitWrite } from '../log/commit.ts';
import type { ListenPlace, ListenRegistry } from './listen-registry.ts';

/** A place with listens that a commit touches: by one write at or above it, or by writes below it. */
export interface TouchedPlace {
  readonly place: ListenPlace;
  readonly over: CommitWrite | null;
  readonly below: readonly CommitWrite[];
}

/** Every place with listens that the writes touch; each once, with all that touches it. */
export function collectPlaces(
  listens: ListenRegistry,
  writes: readonly CommitWrite[],
): readonly TouchedPlace[] {
  const found = new Map<ListenPlace, TouchedPlace & { readonly below: CommitWrite[] }>();
  const add = (place: ListenPlace, over: CommitWrite | null, below: CommitWrite | null): void => {
    if (place.defaults.size === 0 && place.queries.size === 0) return;
    const known = found.get(place);
    if (known === undefined) found.set(place, { place, over, below: below === null ? [] : [below] });
    else if (below !== null) known.below.push(below);
  };
  for (const write of writes) {
    let here: ListenPlace | undefined = listens.root;
    for (const key of write.path) {
      if (here === undefined) break;
      add(here, null, write);
      here = here.children.get(key);
    }
    if (here === undefined) continue;
    // A priority is a place below its node: listens there and above hear of it, those further down do not.
    if (write.kind === 'priority') add(here, null, write);
    else addSubtree(here, (place) => add(place, write, null));
  }
  return [...found.values()];
}

function addSubtree(place: ListenPlace, add: (place: ListenPlace) => void): void {
  add(place);
  for (const child of place.children.values()) addSubtree(child, add);
}

/** Keys of the children of a place that writes below it touch. A priority of the place itself touches none. */
export function touchedKeys({ place, below }: TouchedPlace): ReadonlySet<Key> {
  const keys = new Set<Key>();
  for (const write of below) {
    const key = write.path[place.path.length];
    if (key !== undefined) keys.add(key);
  }
  return keys;
}
