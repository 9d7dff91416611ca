import type { Api } from './api.ts';

/** `POST /api/projects`. Rejects with an `ApiError`. */
export async function createProject(api: Api, id: string): Promise<void> {
  await api.send('/api/projects', { method: 'POST', body: { id } });
}
