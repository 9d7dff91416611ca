import { join } from 'node:path';
import { belongsToCluster } from '../cluster/node/position.ts';
import { BodyBudget } from '../http/body-budget.ts';
import type { Certificate } from '../http/certificate.ts';
import { HttpServer } from '../http/server.ts';
import {
  ACTION_PAGE,
  CONSOLE_PAGE,
  readBuiltPages,
  readClientPackage,
  readSignInPages,
} from '../http/static-pages.ts';
import { Admission } from '../platform/admission.ts';
import { systemClock } from '../platform/clock.ts';
import { openDataDirectory, secretKeyPath } from '../platform/data-directory.ts';
import { explainBindFailure, explainStoreFailure, StartFailure } from '../platform/failures.ts';
import type { Logger } from '../platform/logger.ts';
import { readDiskStats, readMaxFiles, readMemoryBytes, readVersion } from '../platform/process.ts';
import { chance, randomBytes, sessionId } from '../platform/random.ts';
import { findSecretKeyText, openSecretKey } from '../platform/secret-key.ts';
import type { AppOptions } from '../platform/server-options.ts';
import { LmdbStore } from '../storage/kv/lmdb.ts';
import { findFileDamage } from '../storage/kv/lmdb-file.ts';
import type { Mode } from './mode.ts';
import { type Backend, type DatabaseAccess, openBackend } from './open-backend.ts';
import { openPolicies, openSite } from './open-http.ts';
import type { Ports } from './ports.ts';
import { watchProcess } from './watch-process.ts';

/** A running server. */
export interface App {
  /** The URL at which this machine reaches the server, without a path: `http://127.0.0.1:9000`. */
  readonly url: string;
  /** Absolute path of the data directory. */
  readonly dataPath: string;
  /** Path of the setup link for the first owner, including its secret. `null` if no link is needed. */
  readonly ownerLinkPath: string | null;
  /** Presents another certificate from now on. Has no effect if the server has none. */
  replaceCertificate(certificate: Certificate): void;
  /** Stops accepting requests, ends all connections, and closes the store. */
  close(): Promise<void>;
}

/**
 * Starts additional work with the databases. Resolves when the server may accept its first request. The
 * server disposes of the work after its last response, while the databases are still open. Rejects with a
 * `StartFailure`.
 */
export type Service = (access: DatabaseAccess) => Promise<AsyncDisposable>;

/**
 * Starts a server. Opens the port first, then the data directory, then the store. If one of them fails, the
 * later ones are untouched. Rejects with a `StartFailure`.
 */
export async function startApp(
  options: AppOptions,
  mode: Mode,
  logger: Logger,
  extraServices: readonly Service[] = [],
): Promise<App> {
  const { admission, memoryBytes } = openAdmission(options);
  const policies = openPolicies({ ...mode.http, logger });
  const http = new HttpServer({
    ...mode.http,
    policies: policies.all,
    logger,
    connections: admission.connections,
  });
  const port = await listen(http, options);
  try {
    const directory = openDataDirectory(options.data);
    const watch = watchProcess(admission, memoryBytes, logger);
    const { eventLoop } = watch;
    try {
      const backend = await openDirectory(directory.path, options, {
        ...(await readPages()),
        store: openOwnStore(directory.path),
        mode,
        logger,
        admission,
        eventLoop,
      }).catch((cause: unknown) => {
        throw explainStoreFailure(cause, directory.path);
      });
      const services = await startServices(extraServices, backend);
      const siteOptions = {
        ...mode.http,
        maxBodyBytes: admission.maxBodyBytes,
        bodyBudget: new BodyBudget(admission.bodies, mode.http.transport.networkOfClient),
      };
      http.serve(openSite(policies, backend, siteOptions));
      watch.start();
      return {
        url: localUrl(mode.http.certificate === null ? 'http' : 'https', options.host, port),
        dataPath: directory.path,
        ownerLinkPath: backend.ownerLinkPath,
        replaceCertificate: (certificate) => http.replaceCertificate(certificate),
        async close() {
          await http.close();
          try {
            await services.disposeAsync();
          } finally {
            await backend.close();
            watch[Symbol.dispose]();
            directory[Symbol.dispose]();
          }
        },
      };
    } catch (cause) {
      watch[Symbol.dispose]();
      directory[Symbol.dispose]();
      throw cause;
    }
  } catch (cause) {
    await http.close();
    throw cause;
  }
}

/** Returns the resources that all clients share. */
export function openAdmission({ maxBodyBytes, maxMessageBytes, memory }: AppOptions): {
  readonly admission: Admission;
  readonly memoryBytes: number;
} {
  const memoryBytes = memory ?? readMemoryBytes();
  const { elapsedMs } = systemClock;
  const maxFiles = readMaxFiles();
  return {
    admission: new Admission({ maxFiles, maxBodyBytes, maxMessageBytes, memoryBytes, elapsedMs }),
    memoryBytes,
  };
}

/**
 * Returns the URL at which this machine reaches a server that listens on `host`. If `host` is the unspecified
 * address, at which the server listens on all addresses, the URL contains the loopback address.
 */
export function localUrl(scheme: string, host: string, port: number): string {
  const address = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `${scheme}://${address.includes(':') ? `[${address}]` : address}:${port}`;
}

export async function listen(http: HttpServer, { host, port }: AppOptions): Promise<number> {
  try {
    return await http.listen(host, port);
  } catch (cause) {
    throw explainBindFailure(cause, host, port);
  }
}

async function startServices(
  extraServices: readonly Service[],
  backend: Backend,
): Promise<AsyncDisposableStack> {
  const services = new AsyncDisposableStack();
  try {
    for (const start of extraServices) services.use(await start(backend));
    return services;
  } catch (cause) {
    await services.disposeAsync();
    await backend.close();
    throw cause;
  }
}

type PagePorts = Pick<Ports, 'actionPages' | 'signInPages' | 'consolePages' | 'clientPackage'>;

type DirectoryPorts = PagePorts &
  Pick<Ports, 'store' | 'replication' | 'readCluster' | 'mode' | 'logger' | 'admission' | 'eventLoop'>;

/** Reads the built pages: hundreds of files. */
export async function readPages(): Promise<PagePorts> {
  return {
    actionPages: await readBuiltPages(ACTION_PAGE),
    signInPages: await readSignInPages(),
    consolePages: await readBuiltPages(CONSOLE_PAGE),
    clientPackage: await readClientPackage(),
  };
}

/** Opens the backend of a data directory with its store. Rejects with a `StartFailure`. */
export async function openDirectory(
  path: string,
  options: AppOptions,
  ports: DirectoryPorts,
): Promise<Backend> {
  return openBackend({
    ...ports,
    clock: systemClock,
    random: { randomBytes, chance, sessionId },
    maxBacklogBytes: options.maxBacklogBytes,
    maxMessageUnits: options.maxMessageBytes,
    openSecretKey: (check) =>
      openSecretKey({
        environment: findSecretKeyText(),
        path: options.keyFile ?? secretKeyPath(path),
        check,
        randomBytes,
      }),
    readDisk: () => readDiskStats(path),
    version: readVersion(),
  });
}

/** Opens the store of a server without a cluster. Throws a `StartFailure`. */
function openOwnStore(path: string): LmdbStore {
  const store = openStore(path);
  if (!belongsToCluster(store)) return store;
  store[Symbol.dispose]();
  throw new StartFailure(
    `The directory ${path} belongs to a node of a cluster. Start it with --cluster, or take it out of the cluster with "hearth cluster detach --data ${path}".`,
  );
}

export function openStore(path: string): LmdbStore {
  const damage = findFileDamage(join(path, 'data.mdb'));
  if (damage !== undefined)
    throw new StartFailure(
      `The data file in ${path} is damaged: it ${damage}. Restore a copy of the directory, or choose another with --data.`,
    );
  try {
    return new LmdbStore({ directory: path });
  } catch (cause) {
    throw explainStoreFailure(cause, path);
  }
}
