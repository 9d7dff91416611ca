import { neighborhoodOf } from './address-layers.ts';

/** The waiting items of each network, in order of arrival. The network whose turn is next comes first. */
type Neighborhood<Item> = Map<string, Item[]>;

/**
 * Items of peers that wait. Neighborhoods of networks take turns, because an attacker may have many neighboring
 * addresses; within a neighborhood, its networks take turns; the items of one network come in order of arrival. The
 * caller limits the number of items.
 */
export class FairQueue<Item> {
  /** The neighborhood whose turn is next comes first. */
  readonly #waiting = new Map<string, Neighborhood<Item>>();

  add(network: string, item: Item): void {
    const name = neighborhoodOf(network);
    const neighborhood = this.#waiting.get(name) ?? new Map<string, Item[]>();
    const items = neighborhood.get(network) ?? [];
    items.push(item);
    neighborhood.set(network, items);
    this.#waiting.set(name, neighborhood);
  }

  /** Removes an item that no longer waits. Does nothing if it has been taken. */
  remove(network: string, item: Item): void {
    const name = neighborhoodOf(network);
    const neighborhood = this.#waiting.get(name);
    const items = neighborhood?.get(network);
    const index = items?.indexOf(item) ?? -1;
    if (neighborhood === undefined || items === undefined || index < 0) return;
    items.splice(index, 1);
    this.#drop(name, neighborhood, network, items);
  }

  /**
   * Takes the next item in turn that may start. Its network and its neighborhood then wait until all others have had a
   * turn.
   */
  take(mayStart: (item: Item) => boolean = () => true): Item | undefined {
    for (const [name, neighborhood] of this.#waiting)
      for (const [network, items] of neighborhood) {
        const index = items.findIndex(mayStart);
        const [item] = index < 0 ? [] : items.splice(index, 1);
        if (item === undefined) continue;
        neighborhood.delete(network);
        neighborhood.set(network, items);
        this.#waiting.delete(name);
        this.#waiting.set(name, neighborhood);
        this.#drop(name, neighborhood, network, items);
        return item;
      }
    return undefined;
  }

  /** Forgets a network without items, and a neighborhood without networks. */
  #drop(name: string, neighborhood: Neighborhood<Item>, network: string, items: readonly Item[]): void {
    if (items.length > 0) return;
    neighborhood.delete(network);
    if (neighborhood.size === 0) this.#waiting.delete(name);
  }
}

interface Waiting {
  readonly network: string;
  readonly start: () => void;
}

/** Places for work that runs at the same time: at most one of each network, and the networks in turns. */
export class FairPlaces {
  readonly #count: number;
  readonly #running = new Set<string>();
  readonly #waiting = new FairQueue<Waiting>();

  constructor(count: number) {
    this.#count = count;
  }

  /** Resolves when the work may run. The caller calls `leave` afterwards. */
  enter(network: string): Promise<void> {
    return new Promise((start) => {
      this.#waiting.add(network, { network, start });
      this.#fill();
    });
  }

  leave(network: string): void {
    this.#running.delete(network);
    this.#fill();
  }

  #fill(): void {
    while (this.#running.size < this.#count) {
      const next = this.#waiting.take(({ network }) => !this.#running.has(network));
      if (next === undefined) return;
      this.#running.add(next.network);
      next.start();
    }
  }
}
