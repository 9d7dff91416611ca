import type { Replacement } from '../server/replacement.ts';

// Changes to the source of the server that remove one of its limits each. Several scenarios are about the same limit.

/** Connections have no limit but that of the system. */
export const WITHOUT_CONNECTION_LIMIT: readonly Replacement[] = [
  {
    file: 'platform/admission.ts',
    from: 'Math.max(1, maxFiles - RESERVED_FILES)',
    to: 'Math.max(1_000_000, RESERVED_FILES)',
  },
];

/** Unfinished bodies have no limit of bytes. */
export const WITHOUT_BODY_LIMIT: readonly Replacement[] = [
  { file: 'platform/admission.ts', from: 'const BODIES_SHARE = 1 / 16;', to: 'const BODIES_SHARE = 64;' },
  {
    file: 'platform/admission.ts',
    from: 'const BODIES_BYTES = 64 * 2 ** 20;',
    to: 'const BODIES_BYTES = 2 ** 40;',
  },
];

/** Messages that have not arrived or were not read have no limit of bytes. */
export const WITHOUT_MESSAGE_LIMIT: readonly Replacement[] = [
  { file: 'platform/admission.ts', from: 'MESSAGES_SHARE = 1 / 8;', to: 'MESSAGES_SHARE = 1_000;' },
];

/** Listens have no limit of memory. */
export const WITHOUT_LISTEN_LIMIT: readonly Replacement[] = [
  {
    file: 'platform/admission.ts',
    from: 'const LISTENS_SHARE = 1 / 8;',
    to: 'const LISTENS_SHARE = 1_000;',
  },
];

/** Makes a resource that is used up reject every newcomer, because no network loses a lease to another. */
export const WITHOUT_GIVING_WAY: readonly Replacement[] = [
  {
    file: 'platform/resource-pool.ts',
    from: 'const own = this.#shareOf(newcomer);\n    const largest = this.#ranking.highest;',
    to: 'if (amount > 0) return undefined;\n    const own = this.#shareOf(newcomer);\n    const largest = this.#ranking.highest;',
  },
];

/** Requests of the admin API need no credential. */
export const WITHOUT_ADMIN_GATE: readonly Replacement[] = [
  {
    file: 'admin-api/router.ts',
    from: "(request.headers.authorization ?? '')?.[1];",
    to: "(request.headers.authorization ?? '')?.[1] ?? 'none';",
  },
  {
    file: 'admin-api/gate.ts',
    from: 'admin = await gate.admins.verify(token);',
    to: 'return { name: "attacker", projectId: null, roles: ["owner"] } as never;',
  },
];

/** A packet starts all requests in it, and one socket accepts all clients. */
export const WITHOUT_PIPELINE_LIMITS: readonly Replacement[] = [
  { file: 'http/pipeline.ts', from: 'MAX_PIPELINED = 8;', to: 'MAX_PIPELINED = 1e6;' },
  { file: 'http/pipeline.ts', from: 'MAX_STARTED_TOGETHER = 64;', to: 'MAX_STARTED_TOGETHER = 1e6;' },
  {
    file: 'http/pipeline.ts',
    from: 'MAX_FOLLOWING_OF_NETWORK = 128;',
    to: 'MAX_FOLLOWING_OF_NETWORK = 1e6;',
  },
  { file: 'http/pipeline.ts', from: 'MAX_FOLLOWING = 512;', to: 'MAX_FOLLOWING = 1e6;' },
  { file: 'http/listening.ts', from: 'LISTENING_SOCKETS = 8;', to: 'LISTENING_SOCKETS = 1;' },
];

/** Denials are explained and stored without limits. */
export const WITHOUT_DENIAL_LIMITS: readonly Replacement[] = [
  {
    file: 'denials/log.ts',
    from: 'if (this.#rates.take(database, networkOf?.(), nowMs)) return true;',
    to: 'if (nowMs > 0) return true;',
  },
];

/** Every credential in a header is that of an administrator of the database. */
export const WITHOUT_DATABASE_GATE: readonly Replacement[] = [
  {
    file: 'rest/identity.ts',
    from: 'return verifiers.bearer.verify({ token, ...override }, resource);',
    to: 'return { kind: "admin" };',
  },
];

/** Denials of databases that no project owns are stored, too. */
export const WITHOUT_OWNER_CHECK: readonly Replacement[] = [
  {
    file: 'denials/log.ts',
    from: 'if (this.#options.isStored?.(transaction.tx, database) === false) return false;',
    to: '',
  },
  {
    file: 'denials/log.ts',
    from: 'const isStored = this.#options.isStored?.(transaction.tx, database) !== false;',
    to: 'const isStored = transaction.isWritable;',
  },
];

/** An unfinished body counts as a long one, however few bytes of it have arrived. */
export const WITHOUT_SMALL_BODIES: readonly Replacement[] = [
  { file: 'http/request-body.ts', from: 'lease?.grow(chunk.length)', to: 'lease?.grow(2 ** 26)' },
];

/** A long value is read in one step. */
export const WITHOUT_READ_STEPS: readonly Replacement[] = [
  { file: 'database/snapshot-read.ts', from: 'MAX_STEP_MS = 4;', to: 'MAX_STEP_MS = 1e9;' },
  { file: 'database/snapshot-read.ts', from: 'MAX_STEP_BYTES = 512 * 2 ** 10;', to: 'MAX_STEP_BYTES = 1e9;' },
];

/** A large node is hashed within the transaction of the request that needs its hash. */
export const WITHOUT_HASH_STEPS: readonly Replacement[] = [
  {
    file: 'database/hash-steps.ts',
    from: 'MAX_HASHED_AT_ONCE_BYTES = 16_384;',
    to: 'MAX_HASHED_AT_ONCE_BYTES = 1e9;',
  },
];

/** The passwords of all networks wait in one line, and share the places of one network. */
export const WITHOUT_FAIR_HASHING: readonly Replacement[] = [
  {
    file: 'passwords/hashing-queue.ts',
    from: 'else await this.#wait(purpose, network);',
    to: "else await this.#wait(purpose, '198.18.0.1');",
  },
];

/** A host may send any number of requests to the Auth API. */
export const WITHOUT_REQUEST_BUDGET: readonly Replacement[] = [
  {
    file: 'throttling/limits.ts',
    from: 'requests: { burst: 5_000, perHour: 500 * 3_600 },',
    to: 'requests: { burst: 1e9, perHour: 1e9 },',
  },
];
