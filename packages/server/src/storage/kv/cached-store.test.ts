import { RememberingStore } from './cached-store.ts';
import { MemoryStore } from './memory.ts';
import { kvStoreContract } from './store.contract.ts';

kvStoreContract('remembering', () => new RememberingStore(new MemoryStore()));
