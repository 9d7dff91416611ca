import type { Fetch } from '../rest/call.ts';
import type { Language } from '../shell/language.ts';
import type { ActionPage as Page } from './action-parameters.ts';
import { ActionView } from './action-view.tsx';
import type { Messages } from './messages/messages.ts';
import { useAction } from './use-action.ts';

interface ActionPageProps {
  readonly page: Page;
  readonly language: Language;
  readonly messages: Messages;
  readonly fetch: Fetch;
}

/** The page behind the link of a mail. */
export function ActionPage({ page, language, messages, fetch }: ActionPageProps) {
  return <ActionView screen={useAction(page, language, fetch)} messages={messages} />;
}
