import type { Answer } from '../answer.ts';
import type { SettingsRequest } from '../settings-request.ts';

/** `GET /.settings/profile.json`: an event stream of what is done to the database, for as long as the client stays. */
export async function watchProfile({ profiling, identity, namespace }: SettingsRequest): Promise<Answer> {
  const parts = await profiling.watch(identity, namespace);
  return {
    status: 200,
    headers: { 'content-type': 'text/event-stream; charset=utf-8' },
    body: { kind: 'parts', parts },
  };
}
