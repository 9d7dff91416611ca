import { onTestFinished } from 'vitest';
import { BodyBudget } from '../http/body-budget.ts';
import { HttpServer } from '../http/server.ts';
import { Admission } from '../platform/admission.ts';
import { EventLoopWatch } from '../platform/event-loop-watch.ts';
import { createLogger } from '../platform/logger.ts';
import { chance, randomBytes, sessionId } from '../platform/random.ts';
import { secretKey } from '../platform/secret-key.ts';
import type { DatabaseService } from '../realtime/database/api.ts';
import { MemoryStore } from '../storage/kv/memory.ts';
import { developmentMode } from './development-mode.ts';
import { openBackend } from './open-backend.ts';
import { openPolicies, openSite, type SiteServices } from './open-http.ts';
import type { Ports } from './ports.ts';

/** The fixed time of these servers' clocks. */
export const NOW_MS = 1_700_000_000_000;
export const MAX_BODY_BYTES = 1_000;

const NO_PAGES = { html: undefined, assets: new Map() };

/** A server in memory with a fixed clock. `serve` makes it accept requests. */
export interface MemoryServer {
  readonly server: HttpServer;
  readonly serve: () => void;
  readonly databases: DatabaseService;
  readonly log: readonly string[];
}

/** Opens a server in development mode until the test finishes. `change` replaces some of its services. */
export async function createMemoryServer(
  change: Partial<SiteServices> = {},
  maxBodyBytes: number = MAX_BODY_BYTES,
): Promise<MemoryServer> {
  const log: string[] = [];
  const logger = createLogger('info', { write: (line) => log.push(line) });
  const mode = developmentMode({ allowHost: ['ns1.db.example'], functionsEmulator: null, project: 'demo' });
  const admission = new Admission({
    maxFiles: 1_000,
    maxBodyBytes,
    maxMessageBytes: MAX_BODY_BYTES,
    memoryBytes: 2 ** 30,
    elapsedMs: () => 0,
  });
  const ports: Ports = {
    store: new MemoryStore(),
    clock: { nowMs: () => NOW_MS, elapsedMs: () => 0 },
    random: { randomBytes, chance, sessionId },
    logger,
    mode,
    maxBacklogBytes: MAX_BODY_BYTES,
    maxMessageUnits: MAX_BODY_BYTES,
    openSecretKey: () => secretKey(new Uint8Array(32)),
    readDisk: () => ({ freeBytes: 1, totalBytes: 2 }),
    admission,
    eventLoop: new EventLoopWatch({ elapsedMs: () => 0, threadCpuMs: () => 0, logger }),
    actionPages: NO_PAGES,
    signInPages: { handler: undefined, hosted: undefined, frame: undefined, shim: undefined },
    clientPackage: undefined,
    consolePages: NO_PAGES,
    version: '0.0.0',
  };
  const backend = await openBackend(ports);
  onTestFinished(() => backend.close());
  const policies = openPolicies({ ...mode.http, logger });
  const server = new HttpServer({
    ...mode.http,
    policies: policies.all,
    blocksCrossOrigin: false,
    logger,
    connections: admission.connections,
  });
  const options = {
    ...mode.http,
    maxBodyBytes,
    bodyBudget: new BodyBudget(admission.bodies, mode.http.transport.networkOfClient),
  };
  const services = { ...backend, ...change };
  return {
    server,
    databases: backend.databases,
    serve: () => server.serve(openSite(policies, services, options)),
    log,
  };
}
