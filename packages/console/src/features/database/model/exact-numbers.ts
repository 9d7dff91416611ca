import { parseJsonText } from '@hearth/core/tree/json-text.ts';

/** A JSON text contains a number that the database cannot store with all its digits. */
export class RoundedNumber extends Error {
  override readonly name = 'RoundedNumber';
  /** The number as it is in the text. */
  readonly number: string;

  constructor(number: string) {
    super(`The number ${number} has too many digits.`);
    this.number = number;
  }
}

/** Returns whether the database stores a number of a JSON text with all its digits. */
export function isExact(number: string): boolean {
  try {
    return digitsOf(String(parseJsonText(number))) === digitsOf(number);
  } catch {
    // Not a number, which is a problem of its own.
    return true;
  }
}

/** Returns the significant digits of a number in JSON, without the zeros before and after them. */
function digitsOf(text: string): string {
  return text
    .replace(/e.*$/i, '')
    .replace(/[-.]/g, '')
    .replace(/^0+|0+$/g, '');
}

/** Longest number that is compared; a longer one is never exact. */
const MAX_UNITS = 4_096;
/** A number with fewer characters and no exponent is always exact. */
const SHORT_UNITS = 16;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Finds the numbers of a JSON text, which may arrive in parts, that the database cannot store with all their digits. */
export class NumberScanner {
  #isInString = false;
  #isEscaped = false;
  #number = '';

  /** Takes the next part of the text. Throws `RoundedNumber`. */
  take(text: string): void {
    let start = this.#number === '' ? -1 : 0;
    for (let index = 0; index < text.length; index += 1) {
      const unit = text.charCodeAt(index);
      if (this.#isInString) {
        if (this.#isEscaped) this.#isEscaped = false;
        else if (unit === BACKSLASH) this.#isEscaped = true;
        else if (unit === QUOTE) this.#isInString = false;
        continue;
      }
      if (isNumberUnit(unit)) {
        if (start === -1) start = index;
        continue;
      }
      if (start !== -1) this.#end(text.slice(start, index));
      start = -1;
      if (unit === QUOTE) this.#isInString = true;
    }
    if (start !== -1) this.#number += text.slice(start);
    requireUnits(this.#number);
  }

  /** Ends the text. Throws `RoundedNumber`. */
  end(): void {
    this.#end('');
  }

  #end(rest: string): void {
    const number = this.#number + rest;
    this.#number = '';
    requireUnits(number);
    const isShort = number.length < SHORT_UNITS && !/e/i.test(number);
    if (!isShort && !isExact(number)) throw new RoundedNumber(number);
  }
}

/** Throws `RoundedNumber` for a number that is too long to be compared. */
function requireUnits(number: string): void {
  if (number.length > MAX_UNITS) throw new RoundedNumber(`${number.slice(0, 40)}…`);
}

/** Returns whether a character outside of strings can be a part of a number: a digit or one of `+-.eE`. */
function isNumberUnit(unit: number): boolean {
  return (
    (unit >= 0x30 && unit <= 0x39) ||
    unit === 0x2b ||
    unit === 0x2d ||
    unit === 0x2e ||
    unit === 0x65 ||
    unit === 0x45
  );
}

/** Returns the first number of a JSON text that the database cannot store with all its digits. */
export function findRoundedNumber(text: string): string | undefined {
  try {
    const scanner = new NumberScanner();
    scanner.take(text);
    scanner.end();
    return undefined;
  } catch (error) {
    if (error instanceof RoundedNumber) return error.number;
    throw error;
  }
}

/** Rejects with `RoundedNumber` if a JSON file contains a number that the database cannot store with all its digits. */
export async function requireExactNumbers(file: Blob, signal?: AbortSignal): Promise<void> {
  const scanner = new NumberScanner();
  for await (const text of file.stream().pipeThrough(new TextDecoderStream())) {
    signal?.throwIfAborted();
    scanner.take(text);
  }
  scanner.end();
}
