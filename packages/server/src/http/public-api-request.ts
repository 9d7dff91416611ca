import type { ApiRequest } from './api-request.ts';

/** A request that nobody has to be known for. */
export type PublicApiRequest = Pick<ApiRequest, 'backend' | 'segments' | 'query' | 'client'>;
