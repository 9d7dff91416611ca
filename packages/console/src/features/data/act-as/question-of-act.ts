import { parseJsonText } from '@hearth/core/tree/json-text.ts';
import type { RefusedAct } from '../../../server/stand-in-api.ts';
import { withDoubles } from '../../rules/simulator/parse-json.ts';
import type { ReadQuestion } from '../../rules/simulator/question-form.ts';

/** What to ask rules to learn why they refused something; who asked is to be added. */
export function questionOfAct(act: RefusedAct): Omit<ReadQuestion, 'auth'> {
  switch (act.kind) {
    case 'read':
      // As rules see a read over REST.
      return { operation: 'read', path: act.path, query: { orderByKey: true } };
    case 'write':
      return { operation: 'write', path: act.path, value: withDoubles(parseJsonText(act.text)) };
    case 'update':
      return { operation: 'update', path: '/', value: withDoubles(act.changes) };
    default:
      return act satisfies never;
  }
}
