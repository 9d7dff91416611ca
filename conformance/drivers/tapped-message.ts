/** One whole protocol message seen by a tap; `socket` counts the tap's connections from 1. */
export interface TappedMessage {
  readonly socket: number;
  readonly from: 'client' | 'server';
  readonly text: string;
}
