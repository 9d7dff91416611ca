import fc from 'fast-check';
import { useEffect } from 'react';
import { beforeEach, expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { ApiError } from '../../../api/client.ts';
import { mountView } from '../../../ui/mounted-view.fixture.tsx';
import { printExact } from '../model/leaf-value.ts';
import type { NodeActions } from './node-actions.ts';
import { InlineEditor, useValueEdit } from './value-editor.tsx';

const PATH = '/config/motd';

/**
 * A node in memory. `writes` has each text that was written since `set`. Each write takes and throws the next of
 * `failures`, if any.
 */
const node = {
  text: 'null',
  writes: [] as string[],
  failures: [] as Error[],
  set(value: unknown): void {
    node.text = printExact(value, 0);
    node.writes = [];
  },
};

const ACTIONS: NodeActions = {
  isStaged: false,
  add: unused,
  move: unused,
  remove: unused,
  paste: unused,
  read: async () => ({ text: node.text, hash: node.text }),
  async write(_path, { text }) {
    const failure = node.failures.shift();
    if (failure !== undefined) throw failure;
    node.text = text;
    node.writes.push(text);
    return { kind: 'written', hash: text, change: null };
  },
  showSaved() {},
};

async function unused(): Promise<never> {
  throw new Error('The editor of a value calls only `read`, `write` and `showSaved`.');
}

/** Set while the field is mounted. */
let openEditor: (() => Promise<void>) | undefined;

function Field() {
  const editor = useValueEdit(ACTIONS);
  useEffect(() => {
    openEditor = () => editor.open(PATH);
  });
  return (
    editor.edit && (
      <InlineEditor editor={editor} edit={editor.edit} label="Value" otherValue={null} close={editor.close} />
    )
  );
}

beforeEach(async () => {
  openEditor = undefined;
  await mountView(<Field />);
  await expect.poll(() => openEditor).toBeTypeOf('function');
});

const findField = () =>
  document.querySelector<HTMLTextAreaElement | HTMLInputElement>('[data-editor] [aria-label="Value"]');

/** Opens the editor, presses keys and waits until the editor is closed. Returns what was written. */
async function press(value: unknown, keys: string): Promise<readonly unknown[]> {
  node.set(value);
  await openEditor?.();
  await expect.poll(() => document.activeElement === findField()).toBe(true);
  await userEvent.keyboard(keys);
  await expect.poll(findField).toBeNull();
  return node.writes;
}

/** Texts of which a field with one line, or any field, would lose a part. */
const HARD = [
  '\n',
  '\r',
  '\r\n',
  '\t',
  '\0',
  '\u0085',
  '\u2028',
  '\ufeff',
  '\u202e',
  '\ud83d',
  '\udc00',
  ' ',
  '\\',
];

const hardText = fc
  .array(fc.constantFrom(...HARD, '"', '\\n', '\\u0041', 'a', 'ä', '😀', 'مرحبا'), { maxLength: 8 })
  .map((parts) => parts.join(''));

test('[C510] saving a string without a change writes nothing, and saving it with a letter added at its end writes only that change', async () => {
  await fc.assert(
    fc.asyncProperty(hardText, async (text) => {
      expect(await press(text, '{Enter}')).toEqual([]);
      expect(await press(text, '{End}!{Enter}')).toEqual([JSON.stringify(`${text}!`)]);
    }),
    {
      numRuns: 12,
      examples: [['first\nsecond\n\nlast'], ['  a\r\nb\t'], ...HARD.map((one): [string] => [`a${one}b`])],
    },
  );
});

test.each([
  [1e21, '{Home}{Delete}7', '7e+21'],
  [0, '{End}.5', '0.5'],
  [1_234_567_890_123, '{End}4', '12345678901234'],
  [0.1 + 0.2, '{Home}-', '-0.30000000000000004'],
  [-1.5e-7, '{Home}{Delete}', '1.5e-7'],
  [9_007_199_254_740_993n, '{End}1', '90071992547409931'],
])(
  '[C510] saving the number %s without a change writes nothing, and adding %s writes %s',
  async (value, keys, text) => {
    expect(await press(value, '{Enter}')).toEqual([]);
    expect(await press(value, `${keys}{Enter}`)).toEqual([text]);
  },
);

test.each([
  ['does not respond', 0],
  ['starts or is overloaded', 503],
])('[C82] a value is saved later if the server %s', async (_why, status) => {
  node.set('before');
  node.failures = [new ApiError(status, 'Not now.'), new ApiError(status, 'Not now.')];
  await openEditor?.();
  await expect.poll(() => document.activeElement === findField()).toBe(true);
  await userEvent.keyboard('after{Enter}');
  await expect
    .poll(() => document.querySelector('[role="status"]')?.textContent)
    .toContain('Your edit is saved when the server responds.');
  await expect.poll(() => node.writes, { timeout: 30_000 }).toEqual(['"after"']);
});

test('[C511] a number with more digits than the database keeps is not saved, and a message says so', async () => {
  node.set(1);
  await openEditor?.();
  await expect.poll(() => document.activeElement === findField()).toBe(true);
  await userEvent.keyboard('12345678901234567890123{Enter}');
  await expect
    .poll(() => document.querySelector('[role="status"]')?.textContent)
    .toBe('The database cannot store all digits of this number.');
  expect(node.writes).toEqual([]);
});

test('[C510] Shift+Enter starts a line, and a string with escape sequences stays a string', async () => {
  expect(await press('a', '{End}{Shift>}{Enter}{/Shift}b{Enter}')).toEqual(['"a\\nb"']);
  expect(await press('a\rb', '{End}\\t\\u0000{Enter}')).toEqual([JSON.stringify('a\rb\t\0')]);
});
