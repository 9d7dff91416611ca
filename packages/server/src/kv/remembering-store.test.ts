import { kvStoreContract } from './contract.ts';
import { MemoryStore } from './memory.ts';
import { RememberingStore } from './remembering-store.ts';

kvStoreContract('remembering', () => new RememberingStore(new MemoryStore()));
