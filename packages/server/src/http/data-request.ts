import type { DatabaseService } from '../database/database-service.ts';
import type { Identity } from '../identity/identity.ts';
import type { DataLocation } from './data-location.ts';

/** A REST request for data, with everything known that all methods need. */
export interface DataRequest {
  readonly databases: DatabaseService;
  readonly namespace: string;
  readonly identity: Identity;
  readonly location: DataLocation;
  readonly body: Buffer | undefined;
}

/** Carries out one method; resolves to the answer as JSON text. Rejects with a `Refusal`. */
export type DataRoute = (request: DataRequest) => Promise<string>;
