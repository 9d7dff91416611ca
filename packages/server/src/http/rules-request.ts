import type { DataRequest } from './data-request.ts';

/** A REST request about the rules of a database. */
export type RulesRequest = Omit<DataRequest, 'location'>;

/** Carries out one method; resolves to the answer as text. Rejects with a `Refusal`. */
export type RulesRoute = (request: RulesRequest) => Promise<string>;
