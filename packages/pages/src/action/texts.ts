import type { Language } from '../shell/document.ts';
import { loadMessages as loadCredentialTexts } from './credential-messages/load.ts';
import type { Messages as CredentialTexts } from './credential-messages/messages.ts';
import { loadMessages as loadSharedTexts } from './first-messages/load.ts';
import type { Messages as SharedTexts } from './first-messages/messages.ts';
import { loadMessages } from './messages/load.ts';
import type { Messages } from './messages/messages.ts';

/** All texts of the page for email links: its own, and those that the hosted pages also show. */
export interface Texts extends Messages, SharedTexts, CredentialTexts {}

export async function loadTexts(language: Language): Promise<Texts> {
  const [own, shared, credentials] = await Promise.all([
    loadMessages(language),
    loadSharedTexts(language),
    loadCredentialTexts(language),
  ]);
  return { ...own, ...shared, ...credentials };
}
