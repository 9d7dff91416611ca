import type { Area } from './area.ts';
import { PUBLIC_HEADERS } from './errors.ts';
import { sendText } from './not-found.ts';
import { pathPolicy } from './routed-area.ts';

/** Answers `GET /healthz` with 200 while the server serves its site. */
export const HEALTH_AREA: Area = {
  policy: pathPolicy((path, method) => path === '/healthz' && method === 'GET', PUBLIC_HEADERS),
  errors: { headers: PUBLIC_HEADERS },
  async answer(_request, response) {
    sendText(response, 200, { ...PUBLIC_HEADERS, 'content-type': 'text/plain; charset=utf-8' }, 'ok\n');
  },
};
