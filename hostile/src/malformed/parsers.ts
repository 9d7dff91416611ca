import { RequestError } from '@hearth/core/error/request-error.ts';
import { parseQuery, queryFields } from '@hearth/core/query/fields.ts';
import { readRules } from '@hearth/core/rules/compile/rules.ts';
import { toStrictRulesJson } from '@hearth/core/rules/syntax/document.ts';
import { JsonListSplitter } from '@hearth/core/tree/json-list-splitter.ts';
import { canonicalJson, parseJsonText } from '@hearth/core/tree/json-text.ts';
import { isKey } from '@hearth/core/tree/key.ts';
import { exportJson, parseNodeJson } from '@hearth/core/tree/node-json.ts';
import { formatPath, parsePath } from '@hearth/core/tree/path.ts';
import { type PushKeyState, pushKey } from '@hearth/core/tree/push-key.ts';
import { parseClientMessage } from '@hearth/core/wire/client-messages.ts';
import { MessageAssembler, SegmentSequence } from '@hearth/core/wire/frames.ts';
import { LONG_MESSAGE_UNITS, splitLongMessage } from '@hearth/core/wire/long-message.ts';
import type { Random } from '../../../scripts/random.ts';
import { mutateFields, mutateText, randomJson } from './mutate.ts';

/** A malformed text for a parser of the core, which runs in this process. */
export interface ParserInput {
  readonly kind: 'parsed';
  readonly text: string;
  /** Parses the text. Throws an error that `isExpected` does not accept if the parser makes a mistake. */
  readonly parse: () => void;
}

/** Returns whether a parser may reject a text with this error. Others, such as a `TypeError`, are mistakes. */
export function isExpected(error: unknown): boolean {
  return error instanceof RequestError ? error.code !== 'internal/error' : error instanceof SyntaxError;
}

/** Rules that use most parts of the language. */
export const RULES_TEXT = `{"rules":{".read":"auth != null && now > 0","a":{"$k":{".write":"newData.hasChildren(['x', 'y']) || newData.val().matches(/^[a-z]+(b|c){1,3}$/i)",".validate":"root.child('x').child($k).val() === data.val() + 1",".indexOn":["score",".value"]}}}}`;

const MAX_UNITS = 100_000;

function requireSame(what: string, actual: unknown, expected: unknown): void {
  if (actual !== expected) throw new Error(`${what}: ${String(actual)} instead of ${String(expected)}`);
}

/** Returns the result of a parser, or `undefined` if it rejects the text. */
function attempt<T>(parse: () => T): T | undefined {
  try {
    return parse();
  } catch (error) {
    if (isExpected(error)) return undefined;
    throw error;
  }
}

const input = (text: string, parse: () => void): ParserInput => ({ kind: 'parsed', text, parse });

function jsonText(random: Random): string {
  const text = JSON.stringify(randomJson(random, 5)) ?? 'null';
  return random.below(3) === 0 ? text : mutateText(random, text);
}

function parseRulesText(text: string): void {
  if (readRules(text).kind === 'rules')
    requireSame('the rules without comments', readRules(toStrictRulesJson(text)).kind, 'rules');
}

/**
 * Checks that `JSON.parse` accepts each text that the parser accepts, and that the canonical text of the result has the same
 * value.
 */
function parseJson(text: string): void {
  const parsed = attempt(() => ({ value: parseJsonText(text) }));
  if (parsed === undefined) return;
  JSON.parse(text);
  const canonical = canonicalJson(parsed.value);
  requireSame('the canonical text', canonicalJson(parseJsonText(canonical)), canonical);
}

function parseNode(text: string): void {
  const stored = exportJson(parseNodeJson(text));
  requireSame('the stored text', exportJson(parseNodeJson(stored)), stored);
}

function parseQueryFields(fields: unknown): void {
  const query = parseQuery(fields);
  requireSame('the query', JSON.stringify(parseQuery(queryFields(query))), JSON.stringify(query));
}

/** Divides a text at random places. */
function divide(random: Random, text: string): readonly string[] {
  const parts: string[] = [];
  for (let start = 0; start < text.length; ) {
    const end = start + 1 + random.below(20);
    parts.push(text.slice(start, end));
    start = end;
  }
  return parts;
}

/** Returns the entries of a list that arrives in parts, and `undefined` if it is rejected. */
function splitList(parts: readonly string[]): readonly string[] | undefined {
  return attempt(() => {
    const splitter = new JsonListSplitter({ list: 'users', maxLength: MAX_UNITS });
    return parts.flatMap((part) => [...splitter.push(part)]);
  });
}

function acceptFrames(frames: readonly string[]): void {
  const assembler = new MessageAssembler(MAX_UNITS);
  for (const frame of frames) {
    const message = assembler.accept(frame);
    if ((message?.length ?? 0) > MAX_UNITS || assembler.unfinishedUnits > MAX_UNITS)
      throw new Error('A message exceeds the limit.');
  }
}

const MESSAGE = '{"t":"d","d":{"r":7,"a":"p","b":{"p":"/a/b","d":{"x":[1,null,"é"],".priority":3},"h":""}}}';
const QUERY = { i: 'score', sp: 'a', sn: 'k', sin: false, ep: 5, en: 'z', ein: true, l: 3, vf: 'r' };
const LONG_DATA = `"${'x'.repeat(LONG_MESSAGE_UNITS)}"`;

/** Generators of texts for the parsers of the core. */
export const PARSERS: Readonly<Record<string, (random: Random) => ParserInput>> = {
  parseRules: (random) => {
    const text = mutateText(random, RULES_TEXT);
    return input(text, () => parseRulesText(text));
  },
  parseJson: (random) => {
    const text = jsonText(random);
    return input(text, () => parseJson(text));
  },
  parseNode: (random) => {
    const text = jsonText(random);
    return input(text, () => parseNode(text));
  },
  parseQuery: (random) => {
    const fields = random.below(2) === 0 ? mutateFields(random, QUERY) : randomJson(random, 3);
    return input(JSON.stringify(fields) ?? 'undefined', () => parseQueryFields(fields));
  },
  parsePath: (random) => {
    const text = mutateText(random, '/rooms/lobby/messages/-Nabc_012/x');
    return input(text, () => {
      const path = parsePath(text);
      requireSame('the path', formatPath(parsePath(formatPath(path))), formatPath(path));
    });
  },
  parseMessage: (random) => {
    const text = mutateText(random, MESSAGE);
    return input(text, () => void parseClientMessage(text));
  },
  parseLongMessage: (random) => {
    const text = mutateText(random, MESSAGE).replace('"p"', `"p","z":${LONG_DATA}`);
    return input(text.replaceAll(LONG_DATA, 'LONG'), () => {
      const split = splitLongMessage(text);
      if (split === undefined) return;
      requireSame(
        'the length',
        split.envelope.length - '"long"'.length + split.data.text.length,
        text.length,
      );
      parseClientMessage(text);
    });
  },
  parseFrames: (random) => {
    const frames = Array.from({ length: 1 + random.below(12) }, () =>
      random.below(3) === 0 ? mutateText(random, String(random.below(12))) : mutateText(random, MESSAGE),
    );
    return input(JSON.stringify(frames), () => acceptFrames(frames));
  },
  parseSegments: (random) => {
    const segments = Array.from({ length: 1 + random.below(12) }, () => ({
      number: random.pick([0, 1, 2, 3, 4, 5, 300, -1, 1.5, Number.NaN]),
      count: random.pick([1, 1, 2, 3, 0, 1e9]),
      data: mutateText(random, 'eyJ0IjoiZCJ9'),
    }));
    return input(JSON.stringify(segments), () => {
      const sequence = new SegmentSequence(MAX_UNITS);
      for (const segment of segments) sequence.accept(segment);
    });
  },
  parseAccountFile: (random) => {
    const users = Array.from({ length: random.below(4) }, () => randomJson(random, 2));
    const text = mutateText(random, JSON.stringify({ kind: 'x', users, more: [{}] }));
    const parts = divide(random, text);
    return input(text, () =>
      requireSame('the entries', JSON.stringify(splitList(parts)), JSON.stringify(splitList([text]))),
    );
  },
  pushKeys: (random) => {
    const steps = Array.from({ length: 2 + random.below(6) }, () => random.pick([0, 0, 1, -5, 1_000]));
    const digit = random.pick([0, 63, random.below(64)]);
    const startMs = random.pick([0, 1, 1.7e12, 2 ** 47]);
    return input(JSON.stringify({ startMs, digit, steps }), () => {
      let state: PushKeyState | undefined = { timeMs: startMs, digits: new Array(12).fill(digit) };
      let previous = '';
      for (const step of steps) {
        const next = pushKey(startMs + step, new Uint8Array(12).fill(digit), state);
        if (next.key.length !== 20 || !isKey(next.key) || next.key <= previous)
          throw new Error(`${next.key} does not follow ${previous}`);
        previous = next.key;
        state = next.state;
      }
    });
  },
};
