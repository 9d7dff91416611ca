import { parseRules } from '@hearth/core/rules/compile/rules.ts';
import type { WriteOperation } from '@hearth/core/rules/evaluate/operation.ts';
import { NodeTree } from '@hearth/core/rules/evaluate/views.ts';
import { parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { parsePath } from '@hearth/core/tree/path.ts';
import { expect, test } from 'vitest';
import { ANONYMOUS } from '../access/principal.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { seqOf } from '../storage/log/commit.ts';
import { decideStored, type StoredWrite } from './stored-validation.ts';

/** The rule of a child reads the value at `limit`. */
const RULES = parseRules(
  JSON.stringify({
    rules: { list: { '.write': true, $k: { '.validate': "newData.val() < root.child('limit').val()" } } },
  }),
);

/** Returns the write of a list while the data have a limit, and what its transaction registers for a rollback. */
function writeBelow(limit: number): { readonly proposed: StoredWrite; readonly rollback: () => void } {
  const rollbacks: (() => void)[] = [];
  const write: WriteOperation = {
    auth: null,
    now: 0,
    tree: new NodeTree(parseNodeJson(JSON.stringify({ limit }))),
    writes: [{ kind: 'node', path: parsePath('list'), node: parseNodeJson('{"a":1,"b":2}') }],
  };
  const store = new MemoryStore();
  const proposed: StoredWrite = {
    write,
    state: { rules: RULES, identity: ANONYMOUS, seq: seqOf(7) },
    network: undefined,
    compute: async (openSteps) => {
      const steps = store.read((tx) => openSteps(tx));
      for (;;) {
        const { done, value } = steps.next();
        if (done === true) return value;
      }
    },
    openWrite: () => write,
    onRollback: (rollback) => rollbacks.push(rollback),
  };
  const rollback = (): void => {
    for (const each of rollbacks) each();
  };
  return { proposed, rollback };
}

test('[R302] a result counts only if the transaction that asked for it was not rolled back, because its commits are not in the data', async () => {
  for (const isRolledBack of [false, true]) {
    const stored = {};
    const { proposed, rollback } = writeBelow(10);
    const first = decideStored(stored, proposed);
    expect(first?.kind).toBe('waits');
    if (first?.kind === 'waits') await first.wait.run();
    if (isRolledBack) rollback();
    // Another commit has the number of the one that was rolled back.
    const second = decideStored(stored, writeBelow(1).proposed);
    expect(second?.kind).toBe(isRolledBack ? 'waits' : 'decided');
    if (second?.kind !== 'waits') continue;
    await second.wait.run();
    expect(decideStored(stored, writeBelow(1).proposed)).toMatchObject({ kind: 'decided', isAllowed: false });
  }
});
