import type { Asker } from '../database/asker.ts';
import type { DatabaseService } from '../database/database-service.ts';
import type { ImportService } from '../database/import/import-service.ts';
import type { JsonAnswer } from './answer.ts';
import type { Condition } from './condition.ts';
import type { DataLocation } from './data-location.ts';
import type { RequestBody } from './request-body.ts';
import type { RestParameters } from './rest-parameters.ts';

/** A REST request for data, with everything known that all methods need. */
export interface DataRequest extends Asker {
  readonly databases: DatabaseService;
  readonly imports: ImportService;
  readonly namespace: string;
  readonly location: DataLocation;
  readonly parameters: RestParameters;
  /** The parameters as they came: those that make up a query are read by who needs one. */
  readonly query: URLSearchParams;
  readonly condition: Condition;
  readonly body: RequestBody;
  /** Longest body that is held in memory, in bytes. */
  readonly maxBodyBytes: number;
}

/** Carries out one method. Rejects with a `Refusal`. */
export type DataRoute = (request: DataRequest) => Promise<JsonAnswer>;
