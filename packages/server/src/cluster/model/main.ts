import { NatsServers } from '../nats-servers.fixture.ts';
import { askToHandOver, measureHandOver } from '../node/trial/hand-over-trial.fixture.ts';
import { NodeTrial } from '../node/trial/node-trial.fixture.ts';
import { MIN_REPLICAS, UnsuitableServers } from '../server-requirements.ts';
import { simulate } from './simulation.ts';
import { runTrial } from './trial.ts';

const USAGE = `Usage:
  npm run cluster -- simulate [histories] [first seed]
  npm run cluster -- trial [seconds] [nats://… …] [http://… …]
  npm run cluster -- nodes [rounds] [seed]
  npm run cluster -- hand-over [rounds]
`;

const DEFAULT_HISTORIES = 20_000;
const DEFAULT_SECONDS = 20;
const DEFAULT_ROUNDS = 14;

/** The exit code for arguments or servers that cannot be used. */
const UNUSABLE = 2;

function runSimulations([count, first]: readonly string[]): void {
  const histories = Number(count ?? DEFAULT_HISTORIES);
  const start = Number(first ?? 1);
  const totals = { acknowledged: 0, rejected: 0, epochs: 0, deadMessages: 0 };
  let failed = 0;
  for (let seed = start; seed < start + histories; seed++) {
    const { problem, ...counts } = simulate({ seed });
    if (problem !== undefined) {
      failed += 1;
      process.stdout.write(`seed ${seed}: ${problem}\n`);
    }
    totals.acknowledged += counts.acknowledged;
    totals.rejected += counts.rejected;
    totals.epochs += counts.epochs;
    totals.deadMessages += counts.deadMessages;
  }
  process.stdout.write(`${histories} histories, ${failed} failed; ${JSON.stringify(totals)}\n`);
  process.exitCode = failed === 0 ? 0 : 1;
}

async function runOnServers(
  [seconds, ...addresses]: readonly string[],
  program: string | undefined,
): Promise<void> {
  const durationMs = Number(seconds ?? DEFAULT_SECONDS) * 1_000;
  const seed = Math.floor(Math.random() * 2 ** 31);
  process.stdout.write(`seed ${seed}\n`);
  if (addresses.length > 0) {
    const monitors = addresses.filter((address) => address.startsWith('http'));
    const servers = addresses.filter((address) => !monitors.includes(address));
    report(await runTrial({ servers, monitors, replicas: MIN_REPLICAS, seed, durationMs }));
    return;
  }
  if (program === undefined) throw new UnsuitableServers('No nats-server was found.');
  await using own = await NatsServers.start({ program, count: 3 });
  const { addresses: servers, monitors } = own;
  const makeFault = own.restartOne.bind(own);
  report(await runTrial({ servers, monitors, replicas: MIN_REPLICAS, seed, durationMs, makeFault }));
}

async function runNodes([rounds, first]: readonly string[], program: string | undefined): Promise<void> {
  if (program === undefined) throw new UnsuitableServers('No nats-server was found.');
  const seed = Number(first ?? Math.floor(Math.random() * 2 ** 31));
  process.stdout.write(`seed ${seed}\n`);
  const write = (line: string): void => void process.stdout.write(`${line}\n`);
  await using trial = await NodeTrial.start({
    program,
    seed,
    rounds: Number(rounds ?? DEFAULT_ROUNDS),
    report: write,
  });
  report(await trial.run());
}

async function runHandOvers([rounds]: readonly string[], program: string | undefined): Promise<void> {
  if (program === undefined) throw new UnsuitableServers('No nats-server was found.');
  await using trial = await NodeTrial.start({ program, seed: 1, rounds: 0, report: () => undefined });
  const { nodes, servers } = trial;
  const token = nodes[0]?.token ?? '';
  const pauses: number[] = [];
  for (let round = 1; round <= Number(rounds ?? DEFAULT_ROUNDS); round++) {
    const { pauseMs, usualMs, repeated } = await measureHandOver(nodes, token, () => askToHandOver(servers));
    pauses.push(pauseMs);
    process.stdout.write(
      `round ${round}: writes paused for ${pauseMs} ms, usually at most ${usualMs} ms; ${repeated} requests were sent again\n`,
    );
  }
  pauses.sort((a, b) => a - b);
  process.stdout.write(
    `p50 ${pauses[pauses.length >> 1]} ms, longest ${pauses.at(-1)} ms; nothing was lost\n`,
  );
}

function report(result: object): void {
  process.stdout.write(`nothing was lost; ${JSON.stringify(result)}\n`);
}

const PROGRAM = '--program=';

/** The script that starts this program adds the path of the NATS server that it has found. */
const program = process.argv.find((argument) => argument.startsWith(PROGRAM))?.slice(PROGRAM.length);
const [command, ...rest] = process.argv.slice(2).filter((argument) => !argument.startsWith(PROGRAM));
try {
  if (command === 'simulate') runSimulations(rest);
  else if (command === 'trial') await runOnServers(rest, program);
  else if (command === 'nodes') await runNodes(rest, program);
  else if (command === 'hand-over') await runHandOvers(rest, program);
  else {
    process.stderr.write(USAGE);
    process.exitCode = UNUSABLE;
  }
} catch (error) {
  if (!(error instanceof UnsuitableServers)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = UNUSABLE;
}
