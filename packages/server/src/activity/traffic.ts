/** Counts bytes, as they are on their way within connections. */
export interface Traffic {
  sentBytes: number;
  receivedBytes: number;
}
