import { kvStoreContract } from './contract.ts';
import { MemoryStore } from './memory.ts';

kvStoreContract('memory', () => new MemoryStore());
