import { RequestError } from '@hearth/core/error/request-error.ts';
import { FairPlaces } from '../../platform/fair-queue.ts';
import { HeldBytes } from '../../platform/held-bytes.ts';
import { JsonScanner } from '../../storage/tree/json-scanner.ts';
import type { Postponement, ScanMemory } from '../database/database.ts';
import { JsonValue } from './json-value.ts';
import { StagingLane } from './staging-lane.ts';
import { TextSlices } from './text-slices.ts';

/** Memory of a parsed value, in bytes: an object with one member takes more, and a small number less. */
const BYTES_PER_VALUE = 40;

/** Maximum number of texts that are parsed at the same time, because parsed values take much memory. Others wait. */
const MAX_PARSING = 4;

const PLACES = new FairPlaces(MAX_PARSING);

/** One step between two rounds of network events. */
const LANE = new StagingLane();

export interface ParsedTextOptions {
  readonly network: string;
  /** Maximum number of members of the outermost object. */
  readonly maxMembers: number;
  /** The pool from which the parsed values take their memory; `null` if another limit applies to the text. */
  readonly memory: ScanMemory | null;
}

/** JSON text that is parsed in steps, because it is too long to be parsed at once. */
export class ParsedText implements Postponement {
  readonly #options: ParsedTextOptions;
  readonly #slices: TextSlices;
  readonly #value: JsonValue;
  readonly #scanner: JsonScanner;
  readonly #held: HeldBytes | null;
  #failure: RequestError | undefined;
  #isStopped = false;

  constructor(text: string | Buffer, options: ParsedTextOptions) {
    const { maxMembers, memory } = options;
    this.#options = options;
    this.#slices = new TextSlices(text);
    this.#value = new JsonValue(maxMembers);
    this.#scanner = new JsonScanner(this.#value);
    this.#held = memory === null ? null : new HeldBytes(memory.pool, memory.holder, 0);
  }

  /** Parses the text. Never rejects because of the text. */
  async run(): Promise<void> {
    const { network } = this.#options;
    await PLACES.enter(network);
    try {
      while (!this.#slices.isTaken && !this.#isStopped) {
        await LANE.enter(network);
        this.#step();
      }
    } catch (error) {
      if (!(error instanceof RequestError)) throw error;
      this.#failure = error;
      this.stop();
    } finally {
      PLACES.leave(network);
    }
  }

  /** Ends the work, and gives the memory back. Idempotent. */
  stop(): void {
    this.#isStopped = true;
    this.#held?.hold(0);
  }

  /**
   * Returns the value, after `run`. Throws `value/unparsable` if the text is not JSON, and the errors of limits. The
   * caller must use the value immediately.
   */
  finish(): unknown {
    this.stop();
    if (this.#failure !== undefined) throw this.#failure;
    return this.#value.value;
  }

  #step(): void {
    if (this.#isStopped) return;
    const slices = this.#slices;
    slices.encode();
    slices.take(this.#scanner.scan(slices.bytes, slices.isLast));
    if (this.#held?.hold(BYTES_PER_VALUE * this.#value.count) === false)
      throw new RequestError('request/overload');
  }
}
