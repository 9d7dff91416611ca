import type { PageRequest } from '../../../server/children-address.ts';
import type { ChildPage, LivePage } from '../../../server/data.ts';

/** Where a tree gets its pages from. */
export interface ChildSource {
  /** A page that is there without being read, for whoever takes it first. */
  takeKnown?(request: PageRequest): ChildPage | undefined;
  read(request: PageRequest, signal: AbortSignal): Promise<ChildPage>;
  /** A page, and again after each change; ends when the server does. */
  follow(request: PageRequest, signal: AbortSignal): AsyncIterable<LivePage>;
}
