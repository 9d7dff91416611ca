import { readLines } from './read-lines.ts';

/** An event of a stream as the standard of Server-Sent Events describes it. */
export interface ServerEvent {
  readonly event: string;
  readonly data: string;
}

/** The events of an answer as they come; comments are passed over. */
export async function* readEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  let event = 'message';
  let data: string[] = [];
  for await (const line of readLines(response)) {
    if (line === '') {
      if (data.length > 0) yield { event, data: data.join('\n') };
      event = 'message';
      data = [];
    } else if (line.startsWith('event:')) event = line.slice('event:'.length).trimStart();
    else if (line.startsWith('data:')) data.push(line.slice('data:'.length).replace(/^ /, ''));
  }
}
