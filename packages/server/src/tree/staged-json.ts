import type { NodeId } from '../kv/keys.ts';
import type { BuildTarget, BuiltTree } from './container-stack.ts';
import { JsonScanner, SCANNER_START, type ScannerState } from './json-scanner.ts';
import { type BuilderState, TreeBuilder, type TreeBuilderOptions } from './tree-builder.ts';

/** Where the staging of a JSON text stands between two of its tokens, as JSON. */
export interface StagedJsonState {
  readonly scanner: ScannerState;
  readonly builder: BuilderState;
}

/** Turns JSON text that comes in pieces into a stored tree that nothing refers to. */
export class StagedJson {
  readonly #builder: TreeBuilder;
  readonly #scanner: JsonScanner;

  constructor(options: TreeBuilderOptions, state?: StagedJsonState) {
    this.#builder = new TreeBuilder(options, state?.builder);
    this.#scanner = new JsonScanner(this.#builder, state?.scanner ?? SCANNER_START);
  }

  /** As `JsonScanner.scan`; what the text becomes is written to the target. Refuses with a `JsonRefusal`. */
  scan(target: BuildTarget, bytes: Buffer, isLast: boolean): number {
    this.#builder.writeTo(target);
    return this.#scanner.scan(bytes, isLast);
  }

  /** What all of the text has become; absent until it is complete. */
  get built(): BuiltTree | undefined {
    return this.#builder.built;
  }

  get loose(): readonly NodeId[] {
    return this.#builder.loose;
  }

  /** To be written as JSON at once: parts of it go on changing. */
  save(): StagedJsonState {
    return { scanner: this.#scanner.save(), builder: this.#builder.save() };
  }
}
