/** Part of a rules document: UTF-16 units from its start, without the one at `end`. */
export interface Span {
  readonly start: number;
  readonly end: number;
}
