/** A promise the server broke, with enough said to look for the reason. */
export type Violation = {
  /**
   * `lost`: an acknowledged write is not there. `torn`: only part of an update is there. `unexplained`: the data is what no
   * prefix of the writer's requests leaves. `index`: a query disagrees with the data. `refused`: a valid request was not accepted.
   */
  readonly kind: 'lost' | 'torn' | 'unexplained' | 'index' | 'refused';
  readonly round: number;
  readonly detail: string;
};
