import type { WriteLoad } from '../load/writes.ts';
import { median } from '../measure/time.ts';
import {
  chatRuleSet,
  DecisionLoop,
  prepareByHand,
  prepareByRules,
  TargaryenPeer,
} from '../rules/deciders.ts';
import { openFlood, RulesLoad, STORED_DENIALS } from '../rules/load.ts';
import { LoadedServer, type Sample } from '../server/loaded-server.ts';
import type { Figure, ScenarioOptions } from './scenario.ts';

const SIBLINGS = 1_000;

/**
 * Measures the cost of rules: decisions alone, and allowed and denied writes of a server that evaluates them.
 */
export async function measureRules(options: ScenarioOptions): Promise<readonly Figure[]> {
  return [...measureDeciding(options), ...(await measureServing(options)), await measureFlood(options)];
}

/**
 * Measures decisions in this process: the same cases on the same tree by rules, by handwritten code and by
 * another package.
 */
function measureDeciding({ quick, progress }: ScenarioOptions): readonly Figure[] {
  const runMs = quick ? 50 : 400;
  const runs = quick ? 3 : 9;
  const rules = chatRuleSet(0);
  const crowded = chatRuleSet(SIBLINGS);
  const peer = new TargaryenPeer();
  const loops = {
    byRules: new DecisionLoop('the rules', (chatCase) => prepareByRules(rules, chatCase)),
    crowded: new DecisionLoop('the rules with siblings', (chatCase) => prepareByRules(crowded, chatCase)),
    byHand: new DecisionLoop('the function', prepareByHand),
    peer: new DecisionLoop('targaryen', (chatCase) => peer.prepare(chatCase)),
  };
  for (const loop of Object.values(loops)) loop.run(runMs);
  const samples = Array.from({ length: runs }, () => ({
    byRules: loops.byRules.run(runMs),
    crowded: loops.crowded.run(runMs),
    byHand: loops.byHand.run(runMs),
    peer: loops.peer.run(runMs),
  }));
  const middle = (name: keyof typeof loops): number => median(samples.map((sample) => sample[name]));
  progress(`rules: ${middle('byRules').toFixed(2)} µs a decision, by hand ${middle('byHand').toFixed(2)} µs`);
  return [
    {
      name: 'evaluation of 20 chat rules, compared with a handwritten function',
      unit: 'µs',
      value: middle('byRules'),
      compared: middle('byHand'),
      target: { kind: 'ratioAtMost', bound: 3 },
    },
    {
      name: 'the same, compared with the package targaryen',
      unit: 'µs',
      value: middle('byRules'),
      compared: middle('peer'),
      target: { kind: 'ratioAtMost', bound: 0.01 },
    },
    {
      name: `the same with ${SIBLINGS} siblings at every location, compared with none`,
      unit: 'µs',
      value: middle('crowded'),
      compared: middle('byRules'),
      target: { kind: 'ratioAtMost', bound: 1.2 },
    },
  ];
}

async function measureServing({ subject, quick, progress }: ScenarioOptions): Promise<readonly Figure[]> {
  const stretchMs = quick ? 500 : 3_000;
  const stretches = quick ? 2 : 5;
  await using hearth = await LoadedServer.start(subject, (port) => RulesLoad.start(port));
  const run = (select: (load: RulesLoad) => WriteLoad): Promise<Sample> =>
    hearth.sample((load) => select(load).run(stretchMs));
  const kinds = ['open', 'ruled', 'denied', 'deniedUnlogged'] as const;
  const samples: Record<(typeof kinds)[number], Sample[]> = {
    open: [],
    ruled: [],
    denied: [],
    deniedUnlogged: [],
  };
  for (const kind of kinds) await run((load) => load[kind]);
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    for (const kind of kinds) samples[kind].push(await run((load) => load[kind]));
    progress(
      `rules: ${kinds.map((kind) => `${kind} ${Math.round(samples[kind].at(-1)?.ratePerSecond ?? 0)}/s`).join(', ')}`,
    );
  }
  const rate = (kind: (typeof kinds)[number]): number =>
    median(samples[kind].map(({ ratePerSecond }) => ratePerSecond));
  return [
    {
      name: 'writes under the chat rules, compared with open rules',
      unit: 'per second',
      value: rate('ruled'),
      compared: rate('open'),
      target: { kind: 'ratioAtLeast', bound: 0.8 },
    },
    {
      name: 'denied writes with the denial log, compared with no log',
      unit: 'per second',
      value: rate('denied'),
      compared: rate('deniedUnlogged'),
      target: { kind: 'ratioAtLeast', bound: 0.7 },
    },
  ];
}

/** Measures the disk space when the log is full, and after twice as many further denials. */
async function measureFlood({ subject, quick, progress }: ScenarioOptions): Promise<Figure> {
  const stretchMs = quick ? 1_000 : 10_000;
  await using hearth = await LoadedServer.start(subject, openFlood);
  const run = (): Promise<Sample> => hearth.sample((load) => load.run(stretchMs));
  await run();
  const fullBytes = hearth.diskBytes();
  await run();
  await run();
  const bytes = hearth.diskBytes();
  progress(`rules: ${bytes} bytes on disk, ${fullBytes} when the log was full`);
  return {
    name: `disk space after a flood of denials, compared with a full log of ${STORED_DENIALS}`,
    unit: 'MiB',
    value: bytes / 2 ** 20,
    compared: fullBytes / 2 ** 20,
    target: { kind: 'ratioAtMost', bound: 1.1 },
  };
}
