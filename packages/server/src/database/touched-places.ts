import type { Key } from '@hearth/core/tree/key.ts';
import type { CommitWrite } from '../log/commit.ts';
import { isListenedTo, type ListenPlace, type ListenRegistry } from './listen-registry.ts';

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
  const found = new FoundPlaces();
  for (const write of writes) {
    let here: ListenPlace | undefined = listens.root;
    for (const key of write.path) {
      if (here === undefined) break;
      found.add(here, null, write);
      here = here.children.get(key);
    }
    if (here === undefined) continue;
    // A priority is a place below its node: listens there and above hear of it, those further down do not.
    if (write.kind === 'priority') found.add(here, null, write);
    else found.addSubtree(here, write);
  }
  return found.list();
}

const NONE: readonly TouchedPlace[] = [];

/** Takes no memory until something is found: most writes touch nothing that is listened to. */
class FoundPlaces {
  #found: Map<ListenPlace, TouchedPlace & { readonly below: CommitWrite[] }> | undefined;

  add(place: ListenPlace, over: CommitWrite | null, below: CommitWrite | null): void {
    if (!isListenedTo(place)) return;
    this.#found ??= new Map();
    const known = this.#found.get(place);
    if (known === undefined) this.#found.set(place, { place, over, below: below === null ? [] : [below] });
    else if (below !== null) known.below.push(below);
  }

  addSubtree(place: ListenPlace, over: CommitWrite): void {
    this.add(place, over, null);
    for (const child of place.children.values()) this.addSubtree(child, over);
  }

  list(): readonly TouchedPlace[] {
    return this.#found === undefined ? NONE : [...this.#found.values()];
  }
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
