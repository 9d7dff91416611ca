import { expect, test } from 'vitest';
import { type Block, commandsOf, listDocuments, readBlocks } from './blocks.ts';
import { Place } from './place.ts';
import { DEVELOPMENT_WALKS, EXEMPT, PRODUCTION_WALKS, type Walk } from './walks.ts';

/** A line that a reader would run. Such lines must be in blocks of the language `sh`. */
const COMMAND = /^(?:npm|npx|hearth|curl|firebase) /;

const WALKS = [...DEVELOPMENT_WALKS, ...PRODUCTION_WALKS];

/** Returns the blocks of the sections of a walk, in order. */
async function blocksOf({ document, headings }: Walk): Promise<readonly Block[]> {
  const blocks = await readBlocks(document);
  return blocks.filter(({ heading }) => headings === undefined || headings.includes(heading));
}

async function follow(walk: Walk): Promise<void> {
  await using place = await Place.open();
  await walk.prepare?.(place);
  for (const block of await blocksOf(walk)) {
    if (block.language === 'json' && block.target !== '') await place.write(block.target, block.text);
    if (block.language === 'js') await runProgramOf(walk, place, block);
    if (block.language === 'sh')
      for (const command of commandsOf(block)) await runCommand(walk, place, block, command);
  }
}

async function runCommand(walk: Walk, place: Place, { target }: Block, command: string): Promise<void> {
  if (command in EXEMPT) return;
  const step = walk.commands[command];
  if (step === undefined) throw new Error(`Nothing is expected of the command: ${command}`);
  await step.before?.(place);
  const { code, stdout, stderr } = await place.run(command, target, step.environment);
  expect({ command, code, stdout: stdout + stderr }).toEqual({
    command,
    code: 0,
    stdout: expect.stringMatching(step.shows),
  });
  await step.after?.(place, stdout);
}

async function runProgramOf(walk: Walk, place: Place, block: Block): Promise<void> {
  const program = walk.programs?.find(({ has }) => block.text.includes(has));
  if (program === undefined) throw new Error(`Nothing is expected of the program:\n${block.text}`);
  const code = `${block.text}\n${program.more ?? ''}`;
  await place.runModule(code, block.target, program.shows);
}

test.each(WALKS.map((walk) => [walk.title, walk] as const))(
  '[P60] %s works as written, in a clean directory',
  async (_title, walk) => {
    await follow(walk);
  },
  480_000,
);

test('[P61] the walks have an expectation for every command in the documents, and for nothing else', async () => {
  const written = new Set<string>();
  for (const document of await listDocuments())
    for (const block of await readBlocks(document))
      if (block.language === 'sh') for (const command of commandsOf(block)) written.add(command);
      else expect(commandsOf(block).filter((line) => COMMAND.test(line))).toEqual([]);
  const expected = new Set([
    ...WALKS.flatMap(({ commands }) => Object.keys(commands)),
    ...Object.keys(EXEMPT),
  ]);
  expect([...expected].sort()).toEqual([...written].sort());
});
