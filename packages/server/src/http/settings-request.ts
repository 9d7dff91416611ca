import type { DatabaseAdministration } from '../database/database-administration.ts';
import type { Profiling } from '../database/profiling.ts';
import type { Answer, JsonAnswer } from './answer.ts';
import type { DataRequest } from './data-request.ts';

/** A REST request about the settings of a database. */
export interface SettingsRequest extends Omit<DataRequest, 'operation' | 'location' | 'condition'> {
  readonly administration: DatabaseAdministration;
  readonly profiling: Profiling;
}

/** Carries out one method; what it answers is JSON, or is sent as it is. Rejects with a `Refusal`. */
export type SettingsRoute = (request: SettingsRequest) => Promise<JsonAnswer | Answer>;
