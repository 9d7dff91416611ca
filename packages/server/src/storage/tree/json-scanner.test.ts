import { RequestError } from '@hearth/core/error/request-error.ts';
import { MAX_KEY_BYTES } from '@hearth/core/tree/key.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { JsonScanner, type JsonSink, MAX_NUMBER_BYTES, type ScannerState } from './json-scanner.ts';
import { JsonRejection } from './json-token.ts';

/** Assembles the text from its tokens, without white space. */
class Echo implements JsonSink {
  text = '';

  settle(): void {}

  beginObject(): void {
    this.#separate();
    this.text += '{';
  }
  endObject(): void {
    this.text += '}';
  }
  beginArray(): void {
    this.#separate();
    this.text += '[';
  }
  endArray(): void {
    this.text += ']';
  }
  name(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    this.#separate();
    this.#addString(bytes, start, end, isPlain);
    this.text += ':';
  }
  string(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    this.#separate();
    this.#addString(bytes, start, end, isPlain);
  }
  number(bytes: Buffer, start: number, end: number, isSmallInteger: boolean): void {
    this.#separate();
    const text = bytes.toString('latin1', start, end);
    if (isSmallInteger) expect(String(Number(text))).toBe(text);
    this.text += text;
  }
  literal(value: boolean | null): void {
    this.#separate();
    this.text += String(value);
  }

  #addString(bytes: Buffer, start: number, end: number, isPlain: boolean): void {
    const text = bytes.toString('utf8', start, end);
    expect(isPlain).toBe(!text.includes('\\'));
    this.text += `"${text}"`;
  }
  #separate(): void {
    if (/[^[{:]$/.test(this.text)) this.text += ',';
  }
}

/**
 * Scans bytes in pieces that end at the cuts. Each piece starts with the unread rest of the previous one and
 * has a new scanner.
 */
function scanPieces(bytes: Buffer, cuts: readonly number[]): string {
  const sink = new Echo();
  let state: ScannerState | undefined;
  let taken = 0;
  for (const end of [...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]) {
    const isLast = end === bytes.length;
    const scanner: JsonScanner = new JsonScanner(sink, state);
    taken += scanner.scan(bytes.subarray(taken, end), isLast);
    state = JSON.parse(JSON.stringify(scanner.save()));
    expect(state?.byte).toBe(taken);
    if (isLast) {
      scanner.assertComplete();
      break;
    }
  }
  expect(taken).toBe(bytes.length);
  return sink.text;
}

function requestErrorOf(text: string | Buffer): JsonRejection {
  try {
    scanPieces(Buffer.from(text), []);
  } catch (error) {
    if (error instanceof JsonRejection) return error;
    throw error;
  }
  throw new Error('the text was not rejected');
}

const texts = fc
  .oneof(fc.json(), fc.json({ stringUnit: 'binary' }))
  .chain((json) =>
    fc.constantFrom(json, JSON.stringify(JSON.parse(json), null, '\t'), ` \r\n${json}\n `, `\ufeff${json}`),
  );

test('[K120] JSON that is cut anywhere gives the same tokens, and each scanner needs only the state of the previous one', () => {
  fc.assert(
    fc.property(texts, fc.array(fc.nat(), { maxLength: 12 }), (text, cuts) => {
      const bytes = Buffer.from(text);
      const parsed: unknown = JSON.parse(bytes.toString().replace(/^\ufeff/, ''));
      expect(JSON.parse(scanPieces(bytes, cuts))).toEqual(parsed);
    }),
    { numRuns: 500 },
  );
});

test('[K120] one scanner that reads a text in growing pieces gives the same tokens', () => {
  fc.assert(
    fc.property(texts, fc.integer({ min: 1, max: 7 }), (text, step) => {
      const bytes = Buffer.from(text);
      const sink = new Echo();
      const scanner = new JsonScanner(sink);
      let taken = 0;
      for (let end = step; taken < bytes.length; end = Math.min(end + step, bytes.length))
        taken += scanner.scan(bytes.subarray(taken, end), end >= bytes.length);
      expect(JSON.parse(sink.text)).toEqual(JSON.parse(text.replace(/^\ufeff/, '')));
    }),
    { numRuns: 300 },
  );
});

test('[K120] a control character and an unknown escape are found after the start of a long string', () => {
  for (const [end, sentence] of [
    ['\n"', 'A control character in a string must be written as an escape sequence, at line 1, column 5'],
    ['\\q"', 'Unknown escape sequence, at line 1, column 5'],
  ] as const) {
    const scanner = new JsonScanner(new Echo());
    expect(scanner.scan(Buffer.from('"abc'), false)).toBe(0);
    expect(() => scanner.scan(Buffer.from(`"abc${end}`), true)).toThrow(sentence);
  }
});

test('[K120] arbitrary text is rejected with a RequestError if it is not JSON, and is read otherwise', () => {
  const fragments = fc.constantFrom(
    ...[
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '.',
      'e',
      '0',
      'true',
      'nul',
      ' ',
      '\n',
      '\\',
      '\\u00e',
      '\u0001',
      'é',
    ],
  );
  fc.assert(
    fc.property(
      fc.array(fragments, { maxLength: 9 }),
      fc.array(fc.nat(), { maxLength: 3 }),
      (parts, cuts) => {
        const text = parts.join('');
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        let isRead = true;
        try {
          scanPieces(Buffer.from(text), cuts);
        } catch (error) {
          expect(error).toBeInstanceOf(RequestError);
          isRead = false;
        }
        expect(isRead).toBe(isJson);
      },
    ),
    { numRuns: 3000 },
  );
});

test.each([
  ['', 'Unexpected end of JSON, at line 1, column 1 (byte 0).'],
  ['{"a":1', 'Unexpected end of JSON, at line 1, column 7 (byte 6).'],
  ['{"a":"x', 'Unexpected end of JSON, at line 1, column 8 (byte 7).'],
  ['{\n "a": 1,\n "é" 2}', 'Expected a colon after the name of a member, at line 3, column 7 (byte 17).'],
  ['{"a":1}}', 'Unexpected text after the end of the JSON, at line 1, column 8 (byte 7).'],
  ['[1,]', 'Expected a value, at line 1, column 4 (byte 3).'],
  ['{"a":1,}', 'Expected the name of a member in double quotes, at line 1, column 8 (byte 7).'],
  ['[1 2]', 'Expected a comma or the end of the object or array, at line 1, column 4 (byte 3).'],
  ['01', 'Not a valid JSON number, at line 1, column 1 (byte 0).'],
  [
    '"a\nb"',
    'A control character in a string must be written as an escape sequence, at line 1, column 3 (byte 2).',
  ],
  ['"\\x"', 'Unknown escape sequence, at line 1, column 2 (byte 1).'],
  ['"\\u12g4"', 'The escape sequence \\u needs four hexadecimal digits, at line 1, column 2 (byte 1).'],
  [Buffer.from([0x22, 0xc3, 0x22]), 'A string is not valid UTF-8, at line 1, column 1 (byte 0).'],
  [Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]), 'A string is not valid UTF-8, at line 1, column 1 (byte 0).'],
  ['['.repeat(65), 'The path has more than 32 levels, at line 1, column 65 (byte 64).'],
])('[K121] %j is rejected: %s', (text, message) => {
  expect(requestErrorOf(text).message).toBe(message);
});

const LONG_NAME = `"${'n'.repeat(6 * MAX_KEY_BYTES + 2)}`;
const LONG_NUMBER = '1'.repeat(MAX_NUMBER_BYTES + 1);

test.each([
  [LONG_NUMBER, 'A number is longer than 4096 bytes, at line 1, column 1 (byte 0).'],
  [`[0,${LONG_NUMBER}]`, 'A number is longer than 4096 bytes, at line 1, column 4 (byte 3).'],
  [`{${LONG_NAME}`, 'A key is longer than 768 bytes, at line 1, column 2 (byte 1).'],
  [`{${LONG_NAME}":1}`, 'A key is longer than 768 bytes, at line 1, column 2 (byte 1).'],
])('[H514] a number or a name is rejected with its position as soon as it is too long', (text, message) => {
  expect(requestErrorOf(text).message).toBe(message);
  expect(() => new JsonScanner(new Echo()).scan(Buffer.from(text), false)).toThrow(message);
});

test('[H514] a number and a name of the maximum length are read', () => {
  const text = `{${LONG_NAME.slice(0, -2)}":${LONG_NUMBER.slice(0, -1)}}`;
  expect(scanPieces(Buffer.from(text), [2_000, 6_000])).toBe(text);
});
