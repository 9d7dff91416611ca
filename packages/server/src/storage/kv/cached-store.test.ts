import { CachedStore } from './cached-store.ts';
import { MemoryStore } from './memory.ts';
import { kvStoreContract } from './store.contract.ts';

kvStoreContract('cached', () => new CachedStore(new MemoryStore()));
