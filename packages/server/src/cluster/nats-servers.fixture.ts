import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

interface ServerPorts {
  readonly client: number;
  readonly monitor: number;
  readonly route: number;
}

export interface NatsServersOptions {
  /** Path of the program. */
  readonly program: string;
  readonly count: number;
  /** Lines of the configuration that replace those of the same name. */
  readonly jetStream?: string;
  readonly maxPayload?: string;
}

/** NATS servers that listen on loopback ports and store their data in a temporary folder. */
export class NatsServers implements AsyncDisposable {
  readonly #options: NatsServersOptions;
  readonly #ports: readonly ServerPorts[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'hearth-nats-'));
  readonly #processes = new Map<number, ChildProcess>();

  private constructor(options: NatsServersOptions, ports: readonly ServerPorts[]) {
    this.#options = options;
    this.#ports = ports;
  }

  static async start(options: NatsServersOptions): Promise<NatsServers> {
    const ports: ServerPorts[] = [];
    for (let index = 0; index < options.count; index++) {
      const [client, monitor, route] = await findFreePorts(3);
      ports.push({ client: client ?? 0, monitor: monitor ?? 0, route: route ?? 0 });
    }
    const servers = new NatsServers(options, ports);
    for (const index of ports.keys()) servers.startServer(index);
    await Promise.all(ports.map(({ monitor }) => waitUntilHealthy(monitor)));
    return servers;
  }

  get addresses(): readonly string[] {
    return this.#ports.map(({ client }) => `nats://127.0.0.1:${client}`);
  }

  get monitors(): readonly string[] {
    return this.#ports.map(({ monitor }) => `http://127.0.0.1:${monitor}`);
  }

  startServer(index: number): void {
    const config = join(this.#folder, `${index}.conf`);
    writeFileSync(config, this.#configure(index));
    this.#processes.set(index, spawn(this.#options.program, ['--config', config], { stdio: 'ignore' }));
  }

  /** Kills a server. Returns once its process has ended. */
  async kill(index: number, signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#processes.get(index);
    this.#processes.delete(index);
    if (child === undefined || child.exitCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  }

  /** Freezes a server, or lets it continue. */
  signal(index: number, signal: 'SIGSTOP' | 'SIGCONT'): void {
    this.#processes.get(index)?.kill(signal);
  }

  /** Kills one of the servers and starts it again. */
  async restartOne(choices: { below(bound: number): number }): Promise<void> {
    const index = choices.below(this.#ports.length);
    await this.kill(index);
    this.startServer(index);
    await waitUntilHealthy(this.#ports[index]?.monitor ?? 0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#processes.keys()].map((index) => this.kill(index)));
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #configure(index: number): string {
    const { jetStream = 'sync_interval: always', maxPayload = '1MB', count } = this.#options;
    const ports = this.#ports[index];
    const store = join(this.#folder, `store-${index}`);
    mkdirSync(store, { recursive: true });
    // A route to itself would keep a server busy.
    const routes = this.#ports
      .filter((_, other) => other !== index)
      .map(({ route }) => `nats-route://127.0.0.1:${route}`);
    const cluster =
      count === 1
        ? ''
        : `cluster { name: test, listen: "127.0.0.1:${ports?.route}", routes: ${JSON.stringify(routes)} }`;
    return `server_name: server-${index}
listen: "127.0.0.1:${ports?.client}"
http: "127.0.0.1:${ports?.monitor}"
max_payload: ${maxPayload}
jetstream { store_dir: ${JSON.stringify(store)}, ${jetStream} }
${cluster}
`;
  }
}

export async function findFreePorts(count: number): Promise<readonly number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => {
    const address = server.address();
    return typeof address === 'object' && address !== null ? address.port : 0;
  });
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

const HEALTHY_WITHIN_MS = 60_000;

async function waitUntilHealthy(monitor: number): Promise<void> {
  const deadline = Date.now() + HEALTHY_WITHIN_MS;
  for (;;) {
    const isHealthy = await fetch(`http://127.0.0.1:${monitor}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isHealthy) return;
    if (Date.now() > deadline)
      throw new Error(`The NATS server with port ${monitor} does not become healthy.`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
