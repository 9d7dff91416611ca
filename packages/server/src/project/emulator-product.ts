/** What an export of an emulator suite holds of one product. */
export interface EmulatorProduct {
  /** Its member in the metadata. */
  readonly name: ProductName;
  /** Where its files are in the export. */
  readonly folder: string;
  /** Writes them to an empty folder, and returns what they hold, in words; `undefined` if earlier ones are to stay. */
  write(folder: string): Promise<string | undefined>;
}

export type ProductName = 'auth' | 'database';
