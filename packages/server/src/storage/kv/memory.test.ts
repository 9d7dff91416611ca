import { MemoryStore } from './memory.ts';
import { kvStoreContract } from './store.contract.ts';

kvStoreContract('memory', () => new MemoryStore());
