import { joinPaths } from '@hearth/core/tree/path.ts';
import type { NodeId } from '../../storage/kv/keys.ts';
import type { Commit } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { JsonScanner, type ScannerState } from '../../storage/tree/json-scanner.ts';
import type { Database } from '../database/database.ts';
import { type BuiltWrite, executeLink } from '../database/linked-write.ts';
import { executeWrite } from '../database/write.ts';
import { compareWrites, type DraftWrite } from '../database/write-input.ts';
import { type BuiltChild, ChildrenSink, type ChildrenSinkState } from './children-sink.ts';
import type { ImportCounts, ImportSource, ImportSourceOptions } from './import.ts';
import { builtNode, DeclaredWhileStaging, type DeclaredWhileStagingState } from './replace.ts';

export interface MergeState {
  readonly kind: 'merge';
  readonly indexes: DeclaredWhileStagingState;
  readonly scan: {
    readonly scanner: ScannerState;
    readonly sink: ChildrenSinkState;
    readonly children: number;
  } | null;
}

/** Number of bytes of a source whose small children are kept in the log. */
export const MAX_LOGGED_BYTES = 4 * 2 ** 20;

/**
 * Writes each child of the source to its path as soon as the child is complete. Small children that complete
 * together share one commit.
 */
export class MergeSource implements ImportSource<MergeState> {
  readonly #options: ImportSourceOptions;
  readonly #indexes: DeclaredWhileStaging;
  readonly #sink: ChildrenSink;
  readonly #scanner: JsonScanner;
  #takenBytes: number;
  /** Number of children written to the database. */
  #children: number;

  constructor(options: ImportSourceOptions, { indexes, scan }: MergeState) {
    this.#options = options;
    this.#indexes = new DeclaredWhileStaging(indexes);
    this.#sink = new ChildrenSink(options.path, options.timeMs, scan?.sink);
    this.#scanner = new JsonScanner(this.#sink, scan?.scanner);
    this.#takenBytes = scan?.scanner.byte ?? 0;
    this.#children = scan?.children ?? 0;
  }

  take(transaction: WriteTransaction, database: Database, bytes: Buffer, isLast: boolean): number {
    const tree = database.tree(transaction);
    this.#indexes.record(tree);
    try {
      this.#sink.writeTo(tree.buildTarget());
      const taken = this.#scanner.scan(bytes, isLast);
      this.#takenBytes += taken;
      return taken;
    } finally {
      // Children before a syntax error are merged.
      this.#apply(transaction, database, this.#sink.takeComplete());
    }
  }

  finish(): boolean {
    return true;
  }

  get unreferenced(): readonly NodeId[] {
    return this.#sink.unreferenced;
  }

  get counts(): ImportCounts {
    return { children: this.#children };
  }

  save(): MergeState {
    return {
      kind: 'merge',
      indexes: this.#indexes.save(),
      scan: {
        scanner: this.#scanner.save(),
        sink: this.#sink.save(),
        children: this.#children,
      },
    };
  }

  /**
   * Writes complete children. Small children become part of the commit, as in any write. After
   * `MAX_LOGGED_BYTES` they are linked instead, so that they do not fill the log.
   */
  #apply(transaction: WriteTransaction, database: Database, children: readonly BuiltChild[]): void {
    const { path } = this.#options;
    const writes: DraftWrite[] = [];
    const targets: BuiltWrite[] = [];
    for (const { key, built } of children) {
      const at = joinPaths(path, [key]);
      if (built.kind === 'node' || this.#takenBytes > MAX_LOGGED_BYTES) targets.push({ path: at, built });
      else writes.push({ kind: 'node', path: at, draft: { kind: 'resolved', node: builtNode(built) } });
    }
    writeParts(transaction, database, this.#options, {
      links: targets,
      writes,
      indexes: this.#indexes.save(),
      onWritten: (count) => {
        this.#children += count;
      },
    });
  }
}

/** The writes of one step of a merge. */
interface MergeParts {
  readonly links: readonly BuiltWrite[];
  readonly writes: readonly DraftWrite[];
  readonly indexes: DeclaredWhileStagingState;
  /** Called with the number of nodes that were written, also before another one fails. */
  readonly onWritten?: (count: number) => void;
}

/** Makes the writes of one step of a merge, and records them: first the links, then the other writes. */
export function writeParts(
  transaction: WriteTransaction,
  database: Database,
  { operation, identity, areTriggersDisabled, recordWrites }: ImportSourceOptions,
  { links, writes, indexes, onWritten }: MergeParts,
): void {
  if (links.length + writes.length === 0) return;
  const paths = [...links, ...writes].map((write) => write.path);
  recordWrites(transaction, database, paths, () => {
    const commits: (Commit | null)[] = [];
    if (links.length > 0)
      commits.push(executeLink(transaction, database, { operation, identity, targets: links, ...indexes }));
    onWritten?.(links.length);
    if (writes.length > 0)
      commits.push(
        executeWrite(transaction, database, {
          operation,
          identity,
          writes: writes.toSorted(compareWrites),
          areTriggersDisabled,
        }),
      );
    onWritten?.(writes.length);
    return commits;
  });
}
