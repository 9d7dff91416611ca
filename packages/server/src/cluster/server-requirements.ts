import { MAX_MESSAGE_BYTES } from './message.ts';

/** The log's servers could lose acknowledged messages, or cannot be used. The message is one sentence for the operator. */
export class UnsuitableServers extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnsuitableServers';
  }
}

/** Earlier versions lack fixes of their replication. */
const MIN_VERSION = [2, 14, 4] as const;

/** Fewer servers lose the majority with one failure. */
export const MIN_REPLICAS = 3;

export interface ServerFacts {
  readonly version: string;
  readonly max_payload: number;
}

/** Returns the problems of a server that every client can see. */
export function checkServer({ version, max_payload }: ServerFacts): readonly string[] {
  const problems: string[] = [];
  if (!isRecent(version))
    problems.push(
      `The NATS server has version ${version}, and Hearth needs ${MIN_VERSION.join('.')} or later.`,
    );
  if (max_payload < MAX_MESSAGE_BYTES)
    problems.push(
      `The NATS server takes messages of at most ${max_payload} bytes, and Hearth needs ${MAX_MESSAGE_BYTES}: set max_payload to 1MB.`,
    );
  return problems;
}

function isRecent(version: string): boolean {
  const numbers = version.split('.').map((part) => Number.parseInt(part, 10));
  for (const [index, least] of MIN_VERSION.entries()) {
    const number = numbers[index] ?? Number.NaN;
    if (number !== least) return number > least;
  }
  return true;
}

export interface StreamFacts {
  readonly config: {
    readonly name: string;
    readonly storage: string;
    readonly num_replicas: number;
    readonly deny_delete: boolean;
    readonly allow_direct: boolean;
    readonly max_age: number;
    readonly max_msgs: number;
    readonly max_bytes: number;
  };
}

/** Returns the problems of a stream, which an operator may have created or changed. */
export function checkStream({ config }: StreamFacts, replicas: number): readonly string[] {
  const { name, storage, num_replicas, deny_delete, allow_direct, max_age, max_msgs, max_bytes } = config;
  const problems: string[] = [];
  if (num_replicas < replicas)
    problems.push(`The stream ${name} has ${num_replicas} replicas, and Hearth needs ${replicas}.`);
  if (storage !== 'file') problems.push(`The stream ${name} is in memory, and Hearth needs it in files.`);
  if (!deny_delete)
    problems.push(`The stream ${name} allows the deletion of single messages: set deny_delete.`);
  if (!allow_direct) problems.push(`The stream ${name} does not allow direct reads: set allow_direct.`);
  if (max_age > 0 || max_msgs > 0 || max_bytes > 0)
    problems.push(
      `The stream ${name} has limits and would drop messages: remove max_age, max_msgs and max_bytes.`,
    );
  return problems;
}

/** Returns the problems of a server that its monitoring port shows. */
export function checkMonitored(monitor: string, varz: unknown): readonly string[] {
  const server = fieldsOf(varz);
  const config = fieldsOf(fieldsOf(server['jetstream'])['config']);
  const { version } = server;
  const problems: string[] = [];
  if (typeof version === 'string' && !isRecent(version))
    problems.push(
      `The NATS server at ${monitor} has version ${version}, and Hearth needs ${MIN_VERSION.join('.')} or later.`,
    );
  if (Object.keys(config).length === 0)
    problems.push(`The NATS server at ${monitor} runs without JetStream.`);
  else if (config['sync_always'] !== true)
    problems.push(
      `The NATS server at ${monitor} does not flush each message to its disk, so a power failure would lose acknowledged writes: set sync_interval to "always".`,
    );
  return problems;
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
