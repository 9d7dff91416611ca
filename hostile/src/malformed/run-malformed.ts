import { randomInt } from 'node:crypto';
import { Random } from '../../../scripts/random.ts';
import { PASSWORD } from '../crowd/crowd.ts';
import { HttpClient } from '../network/http.ts';
import { parseObject } from '../network/json.ts';
import type { Target } from '../network/target.ts';
import { Hearth } from '../server/hearth.ts';
import {
  ALL_KINDS,
  type Generator,
  KINDS,
  type MalformedInput,
  rulesDatabaseOf,
  type Subject,
} from './kinds.ts';
import { isExpected, type ParserInput } from './parsers.ts';
import { type Numbered, type Report, sendBytes, sendFrameBytes, sendFrames, sendRequests } from './send.ts';

export interface MalformedOptions {
  readonly inputs: number;
  readonly seed: number;
  /** Kinds of `KINDS`; without it, all in turns. */
  readonly kinds?: readonly string[];
  readonly progress?: (line: string) => void;
}

export interface MalformedResult {
  readonly inputs: number;
  /** The mistakes of the server, each with the input that causes it. */
  readonly findings: readonly string[];
  readonly growthBytes: number;
  /** Outcomes with their numbers: statuses of responses, or words. */
  readonly statuses: Readonly<Record<string, number>>;
}

/** Inputs that one lane takes at a time. Those of one kind share connections. */
const BLOCK = 512;
/** Blocks in progress at a time. Most inputs wait for a response or a timeout. */
const LANES = 32;
const MEMORY_MIB = 256;
const MAX_FINDINGS = 20;
/** Inputs after which the server has filled its caches: growth is counted from there on. */
const WARM_UP_INPUTS = 1_000;
/** Growth of the server that is a finding: no input may leave that much behind. */
const MAX_GROWTH_BYTES = 256 * 2 ** 20;
/** Time that a parser may take for one text, in ms of processor time. */
const PARSED_WITHIN_MS = 1_000;
const REPORT_EVERY = 100_000;

/** Sends malformed inputs to a server and to parsers. Each input follows from the seed and its number alone. */
export async function runMalformed(options: MalformedOptions): Promise<MalformedResult> {
  const { inputs, seed, kinds = ALL_KINDS, progress = () => undefined } = options;
  for (const kind of kinds) generatorOf(kind);
  await using hearth = await Hearth.start({
    entry: 'proxied',
    addressGroup: randomInt(256),
    memoryMiB: MEMORY_MIB,
  });
  const subject = await prepareSubject(hearth);
  const findings: string[] = [];
  const statuses = new Map<string, number>();
  const report: Report = (outcome, reported) => {
    const [status = ''] = outcome.split(' ', 1);
    statuses.set(status, (statuses.get(status) ?? 0) + reported.length);
    if (!isWrong(outcome) || reported.length === 0) return;
    const places = reported.map(({ kind, index }) => `${kind} ${index}`).join(', ');
    const texts = reported.map(({ input }) => describe(input)).join('; ');
    findings.push(`seed ${seed}, ${places}: ${outcome.slice(0, 500)}: ${texts}`);
  };
  let memoryBytes: number | undefined;
  let next = 0;
  let done = 0;
  const lanes = Array.from({ length: LANES }, async () => {
    while (next < inputs && findings.length < MAX_FINDINGS && hearth.isRunning) {
      const block = Array.from({ length: Math.min(BLOCK, inputs - next) }, (_, place) => {
        const index = next + place;
        const kind = kinds[index % kinds.length] ?? '';
        return { kind, index, input: generateInput(kind, seed, index, subject) };
      });
      next += block.length;
      await sendBlock(hearth.target, block, report);
      done += block.length;
      if (done >= WARM_UP_INPUTS && hearth.isRunning) memoryBytes ??= hearth.readMemoryBytes();
      if (done % REPORT_EVERY < BLOCK) progress(`${done} inputs, ${findings.length} findings`);
    }
  });
  await Promise.all(lanes);
  const growthBytes = hearth.isRunning ? hearth.readMemoryBytes() - (memoryBytes ?? 0) : 0;
  if (!hearth.isRunning) findings.push(`The server ended near input ${next} of seed ${seed}.`);
  if (memoryBytes !== undefined && growthBytes > MAX_GROWTH_BYTES)
    findings.push(`The server grew by ${growthBytes} bytes with ${done} inputs of seed ${seed}.`);
  findings.push(...hearth.errors().map((line) => `seed ${seed}: the log has ${line}`));
  return {
    inputs: done,
    findings,
    growthBytes: memoryBytes === undefined ? 0 : growthBytes,
    statuses: Object.fromEntries([...statuses].sort(([a], [b]) => a.localeCompare(b))),
  };
}

function generateInput(kind: string, seed: number, index: number, subject: Subject): MalformedInput {
  return generatorOf(kind)(new Random(Math.imul(seed, 0x9e3779b1) ^ index), subject);
}

/** Throws if there is no such kind. */
function generatorOf(kind: string): Generator {
  const generate = KINDS[kind];
  if (generate === undefined)
    throw new Error(`Unknown kind: ${kind}. Use one of ${Object.keys(KINDS).join(', ')}.`);
  return generate;
}

/** Sends the inputs of a block to the server, each transport on connections of its own, and to the parsers. */
async function sendBlock(
  target: Target,
  block: readonly Numbered<MalformedInput['kind']>[],
  report: Report,
): Promise<void> {
  for (const each of block) if (isOf('parsed', each)) report(parse(each.input), [each]);
  await Promise.all([
    sendRequests(
      target,
      block.filter((each) => isOf('request', each)),
      report,
    ),
    sendBytes(
      target,
      block.filter((each) => isOf('bytes', each)),
      report,
    ),
    sendFrames(
      target,
      block.filter((each) => isOf('frames', each)),
      report,
    ),
    sendFrameBytes(
      target,
      block.filter((each) => isOf('frameBytes', each)),
      report,
    ),
  ]);
}

function isOf<Kind extends MalformedInput['kind']>(
  kind: Kind,
  each: Numbered<MalformedInput['kind']>,
): each is Numbered<Kind> {
  return each.input.kind === kind;
}

/** Passes a text to its parser. Returns `parsed` or `refused`, or a mistake of the parser. */
export function parse(input: ParserInput): string {
  const before = process.cpuUsage();
  let outcome = 'parsed';
  try {
    input.parse();
  } catch (error) {
    outcome = isExpected(error)
      ? 'refused'
      : `mistake: ${error instanceof Error ? error.stack : String(error)}`;
  }
  const { user } = process.cpuUsage(before);
  return user > PARSED_WITHIN_MS * 1_000 ? `mistake: ${user} µs` : outcome;
}

/**
 * Returns whether an outcome is an internal error, no answer, or a mistake of a parser. The server must answer every input
 * with an error that names the mistake in the input.
 */
function isWrong(outcome: string): boolean {
  return /^(5(?!03)|silent|mistake)/.test(outcome);
}

async function prepareSubject(hearth: Hearth): Promise<Subject> {
  const { target } = hearth;
  const rules = { rules: { open: { '.read': true, '.write': true } } };
  await hearth.administer('PUT', `/.settings/rules.json?ns=${target.namespace}`, rules);
  // Without an owner, the server would reject the rules of this database before it reads them.
  await hearth.administer('POST', `/api/projects/${target.projectId}/databases`, {
    name: rulesDatabaseOf(target.namespace),
  });
  await hearth.administer('POST', `/v1/projects/${target.projectId}/accounts`, {
    email: 'user0@crowd.example',
    password: PASSWORD,
  });
  using client = new HttpClient(target, { side: 'crowd', host: 0 });
  const { text } = await client.post(`/v1/accounts:signInWithPassword?key=${target.apiKey}`, {
    email: 'user0@crowd.example',
    password: PASSWORD,
    returnSecureToken: true,
  });
  const { idToken, refreshToken } = parseObject(text);
  return {
    namespace: target.namespace,
    apiKey: target.apiKey,
    projectId: target.projectId,
    adminToken: hearth.token,
    idToken: String(idToken),
    refreshToken: String(refreshToken),
  };
}

function describe(input: MalformedInput): string {
  switch (input.kind) {
    case 'request':
      return `${input.method} ${input.path} ${input.body ?? ''}`.slice(0, 1_000);
    case 'frames':
      return JSON.stringify(input.frames.map(String)).slice(0, 1_000);
    case 'parsed':
      return JSON.stringify(input.text).slice(0, 2_000);
    default:
      return JSON.stringify(input.bytes.toString('latin1')).slice(0, 1_000);
  }
}
