import { must } from '@hearth/core/error/assert.ts';
import { parseKey } from '@hearth/core/tree/key.ts';
import { type Path, parsePath, type WriteTarget } from '@hearth/core/tree/path.ts';
import type { RequestContext } from '../../access/authorization-request.ts';
import type { Commit } from '../../storage/log/commit.ts';
import type { WriteTransaction } from '../../storage/transaction/transaction.ts';
import { blobNode } from '../../storage/tree/entry.ts';
import type { Database } from '../database/database.ts';
import { type BuiltWrite, executeLink } from '../database/linked-write.ts';
import { executeWrite } from '../database/write.ts';
import { compareWrites, type DraftWrite } from '../database/write-input.ts';
import { takeEntry } from './kept-tree.ts';
import { type ChangeRecord, type Former, findChange, releaseChange } from './record.ts';
import { recordChange } from './recorder.ts';

/** The writes that restore replaced nodes. */
interface Restoration {
  readonly targets: readonly WriteTarget[];
  readonly writes: readonly DraftWrite[];
  readonly links: readonly BuiltWrite[];
}

/**
 * Restores the nodes that a change replaced, as another change. Links large nodes again, so that the cost does not
 * depend on their size. Returns the id of the new change, or `null` if everything was as before already. Throws like
 * `executeWrite`.
 */
export function executeUndo(
  transaction: WriteTransaction,
  database: Database,
  context: RequestContext & { readonly author: string },
  record: ChangeRecord,
  formers: readonly Former[],
): number | null {
  const { operation, identity, author } = context;
  const { targets, writes, links } = readRestoration(transaction, record, formers);
  const made = recordChange(
    transaction,
    database,
    { kind: 'undo', author, undoes: record.id },
    targets,
    () => {
      const commits: (Commit | null)[] = [];
      if (links.length > 0)
        commits.push(
          executeLink(transaction, database, { operation, identity, targets: links, ...record.indexes }),
        );
      if (writes.length > 0)
        commits.push(executeWrite(transaction, database, { operation, identity, writes }));
      return commits.filter((commit) => commit !== null);
    },
  );
  const current = must(findChange(transaction.tx, database.name, record.id), 'the change is stored');
  releaseChange(transaction.tx, database.name, current, { undoneBy: made ?? record.id });
  return made;
}

/** Takes the kept nodes out of the change's tree. */
function readRestoration(
  { tx }: WriteTransaction,
  record: ChangeRecord,
  formers: readonly Former[],
): Restoration {
  const kept = must(record.kept, 'the change can be undone');
  const known = new Set<string>();
  const targets: WriteTarget[] = [];
  const writes: DraftWrite[] = [];
  const links: BuiltWrite[] = [];
  const writeNode = (path: Path, node: ReturnType<typeof blobNode> | null): void =>
    void writes.push({ kind: 'node', path, draft: { kind: 'resolved', node } });
  for (const former of formers) {
    const isPriority = former.kind === 'priority';
    // An import can write a path twice. The first write replaced the original node.
    const key = `${former.path}${isPriority ? '/.priority' : ''}`;
    if (known.has(key)) continue;
    known.add(key);
    const path = parsePath(former.path);
    targets.push({ path, isPriority });
    switch (former.kind) {
      case 'absent':
        writeNode(path, null);
        break;
      case 'priority':
        writes.push({ kind: 'priority', path, priority: JSON.parse(former.json) });
        break;
      case 'node': {
        const entry = takeEntry(tx, kept, parseKey(former.name));
        if (entry.kind === 'blob') writeNode(path, blobNode(entry.bytes));
        else links.push({ path, built: { kind: 'node', node: entry.node, priority: entry.priority } });
        break;
      }
      default:
        former satisfies never;
    }
  }
  return { targets, writes: writes.sort(compareWrites), links };
}
