import { ruleTreeContract } from '@hearth/core/rules/evaluate/values.contract.ts';
import { pathOf } from '@hearth/core/tree/path.ts';
import { MemoryStore } from '../../storage/kv/memory.ts';
import { HashMemory } from '../../storage/tree/digest.ts';
import { allocateNodeId } from '../../storage/tree/stored-tree.ts';
import { StoredDatabaseTree } from './stored-tree.ts';

ruleTreeContract('in the store', (tree, use) => {
  using store = new MemoryStore();
  store.transact((tx) => {
    const stored = new StoredDatabaseTree({
      tx,
      tree: null,
      create: () => ({ holder: allocateNodeId(tx), indexesAt: () => [] }),
      hashes: new HashMemory(),
      limits: { answerBytes: 65_536, hashedBytes: 65_536 },
    });
    stored.writeNode(pathOf([]), tree);
    use(stored);
  });
});
