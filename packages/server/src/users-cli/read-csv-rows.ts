import { StringDecoder } from 'node:string_decoder';
import { CommandFailure } from '../ops/command-failure.ts';

/** Longest line, in UTF-16 units. */
const MAX_ROW_LENGTH = 1_048_576;

/** The lines of a file of comma-separated values, whatever its size. Fields in quotes may hold commas and line ends. */
export async function* readCsvRows(chunks: AsyncIterable<Buffer>): AsyncGenerator<readonly string[]> {
  const decoder = new StringDecoder('utf8');
  const rows = new RowReader();
  for await (const chunk of chunks) yield* rows.push(decoder.write(chunk));
  yield* rows.end();
}

class RowReader {
  #fields: string[] = [];
  #field = '';
  #isQuoted = false;
  /** Was the last character a quote inside of a quoted field? Another one then stands for a quote. */
  #mayEnd = false;

  *push(text: string): Generator<readonly string[]> {
    for (const character of text) {
      if (this.#isQuoted && !this.#mayEnd) {
        if (character === '"') this.#mayEnd = true;
        else this.#add(character);
        continue;
      }
      if (this.#mayEnd && character === '"') {
        this.#mayEnd = false;
        this.#add(character);
        continue;
      }
      this.#isQuoted = false;
      this.#mayEnd = false;
      if (character === '"' && this.#field === '') this.#isQuoted = true;
      else if (character === ',') this.#endField();
      else if (character === '\n') yield* this.#endRow();
      else if (character !== '\r') this.#add(character);
    }
  }

  *end(): Generator<readonly string[]> {
    if (this.#isQuoted && !this.#mayEnd) throw new CommandFailure('The file ends within quotes.');
    yield* this.#endRow();
  }

  #add(character: string): void {
    this.#field += character;
    if (this.#field.length > MAX_ROW_LENGTH)
      throw new CommandFailure(`A field of the file is longer than ${MAX_ROW_LENGTH} characters.`);
  }

  #endField(): void {
    this.#fields.push(this.#field);
    this.#field = '';
  }

  *#endRow(): Generator<readonly string[]> {
    this.#endField();
    const fields = this.#fields;
    this.#fields = [];
    if (fields.some((field) => field !== '')) yield fields;
  }
}
