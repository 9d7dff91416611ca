/** Name of the environment variable that holds a list of replacements as JSON. */
export const WITHOUT_VARIABLE = 'HOSTILE_WITHOUT';

/** A change to the source of the server, which removes one of its limits. */
export interface Replacement {
  /** End of the path of the source file. */
  readonly file: string;
  /** Text that occurs once in the file. */
  readonly from: string;
  readonly to: string;
}
