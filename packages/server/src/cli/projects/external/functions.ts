import { HOOK_EVENTS, type HookEvent } from '../../../auth/projects/hook-settings.ts';
import { CommandFailure, StartFailure } from '../../../platform/failures.ts';
import { type FlagsOf, readOption } from '../../../platform/option.ts';
import { createProjectClient, type ProjectAnswer, type SendProjectRequest } from '../client.ts';
import { PROJECT_FUNCTIONS_OPTIONS } from './options.ts';

type Flags = FlagsOf<typeof PROJECT_FUNCTIONS_OPTIONS>;
type Trigger = Readonly<Record<string, unknown>>;
type Triggers = Readonly<Partial<Record<HookEvent, Trigger>>>;

/**
 * Runs `hearth project functions`: sets, removes and tests the functions that decide about events of a project, and prints
 * them. Rejects with a message for the user if a request fails, or if a tested function did not decide.
 */
export async function runProjectFunctions(flags: Flags, project: string): Promise<void> {
  const change = readChange(flags);
  const tested = readOption(PROJECT_FUNCTIONS_OPTIONS.test, flags.test);
  const sendRequest = createProjectClient(flags);
  const base = `/v2/projects/${encodeURIComponent(project)}`;
  const before = triggersOf(await sendRequest('GET', `${base}/config`));
  const triggers = change === undefined ? before : await save(sendRequest, base, change(before));
  process.stdout.write(formatTriggers(triggers));
  const results = [];
  for (const event of tested) {
    const result = await sendRequest('POST', `${base}/blockingFunctions/${event}:test`, {});
    process.stdout.write(`Test of ${event}: ${formatResult(result)}\n`);
    results.push(result);
  }
  if (results.some(({ outcome }) => outcome === 'failed'))
    throw new CommandFailure('A function did not decide. Users whom it decides about cannot continue.');
}

/** Returns the change that the options describe; `undefined` if they change nothing. */
function readChange(flags: Flags): ((before: Triggers) => Triggers) | undefined {
  const options = PROJECT_FUNCTIONS_OPTIONS;
  const addresses = readOption(options.function, flags.function);
  const audiences = readOption(options.audience, flags.audience);
  const open = readOption(options.failOpen, flags.failOpen);
  const closed = readOption(options.failClosed, flags.failClosed);
  const removed = readOption(options.remove, flags.remove);
  const both = open.find((event) => closed.includes(event));
  if (both !== undefined) throw new StartFailure(`--fail-open and --fail-closed both name ${both}.`);
  const changes: readonly (readonly [HookEvent, Trigger])[] = [
    ...addresses.map(([event, functionUri]) => [event, { functionUri }] as const),
    ...audiences.map(([event, audience]) => [event, { audience }] as const),
    ...open.map((event) => [event, { failOpen: true }] as const),
    ...closed.map((event) => [event, { failOpen: false }] as const),
  ];
  if (changes.length === 0 && removed.length === 0) return undefined;
  return (before) => {
    const triggers = new Map<string, Trigger>(
      Object.entries(before).filter(([event]) => !removed.some((name) => name === event)),
    );
    for (const [event, members] of changes) {
      const trigger = { ...triggers.get(event), ...members };
      if (trigger['functionUri'] === undefined)
        throw new StartFailure(
          `There is no function for ${event}. Name one with --function ${event}=https://…`,
        );
      triggers.set(event, trigger);
    }
    return Object.fromEntries(triggers);
  };
}

async function save(sendRequest: SendProjectRequest, base: string, triggers: Triggers): Promise<Triggers> {
  const path = `${base}/config?updateMask=blockingFunctions.triggers`;
  return triggersOf(await sendRequest('PATCH', path, { blockingFunctions: { triggers } }));
}

function triggersOf(config: ProjectAnswer): Triggers {
  return Object(Object(config['blockingFunctions']).triggers);
}

function formatTriggers(triggers: Triggers): string {
  const lines = HOOK_EVENTS.flatMap((event) => {
    const trigger = triggers[event];
    if (trigger === undefined) return [];
    const { functionUri, audience, failOpen } = trigger;
    const more = [
      ...(audience === undefined ? [] : [`audience ${String(audience)}`]),
      ...(failOpen === true ? ['sends messages if the function fails'] : []),
    ];
    return [`${event.padEnd(15)}  ${[String(functionUri), ...more].join(', ')}\n`];
  });
  return lines.length === 0 ? 'No functions. Name one with --function.\n' : lines.join('');
}

function formatResult({ outcome, message, durationMs }: ProjectAnswer): string {
  const reason = typeof message === 'string' ? `: ${message}` : '.';
  return `${String(outcome)} in ${String(durationMs)} ms${reason}`;
}
