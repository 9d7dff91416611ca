import { messageLoader } from '../../shell/load-messages.ts';
import type { Messages } from './messages.ts';

export const loadMessages = messageLoader(import.meta.glob<{ readonly MESSAGES: Messages }>('./??.ts'));
