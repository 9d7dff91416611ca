import { Facts, Text } from '../../shell/text.tsx';
import type { OfferedProvider } from '../parameters.ts';
import type { Hosted } from '../use-hosted.ts';
import { addPasskey } from './add-passkey.ts';
import {
  deleteAccount,
  endAllSessions,
  endSession,
  exportData,
  removeFactor,
  removePasskey,
  unlink,
} from './calls.ts';
import { downloadJson } from './download.ts';
import type { SimpleTask } from './messages/messages.ts';
import { nameOfFactor } from './overview.tsx';
import type { Task } from './task.ts';
import { type AccountViewProps, Submit } from './views.tsx';

interface SimpleTaskViewProps extends AccountViewProps {
  readonly task: Extract<Task, { readonly kind: SimpleTask }>;
}

/** Asks the user to confirm a task. */
export function SimpleTaskView(props: SimpleTaskViewProps) {
  const { task, state, texts } = props;
  const { text, button } = texts.own.tasks[task.kind];
  const fact = factOf(props);
  return (
    <>
      <Text>{text}</Text>
      {fact !== undefined && <Facts facts={[fact]} />}
      <Submit state={state} texts={texts} label={button} onPress={() => void perform(props)} />
    </>
  );
}

function factOf({ task, state, texts, formatDate }: SimpleTaskViewProps) {
  const { own, shared, credentials } = texts;
  switch (task.kind) {
    case 'removeFactor':
      return { label: credentials.removedFactor, value: nameOfFactor(task.factor, texts) };
    case 'removePasskey':
      return { label: own.passkeys, value: task.passkey.name };
    case 'unlink':
      return { label: task.identity.providerId, value: task.identity.label };
    case 'endSession':
      return { label: task.session.device, value: own.lastUsed(formatDate(task.session.lastUsedAtMs)) };
    case 'endAll':
    case 'export':
    case 'delete':
      return { label: shared.labels.account, value: state.label };
    default:
      return task satisfies never;
  }
}

async function perform({ task, server, state }: SimpleTaskViewProps): Promise<void> {
  switch (task.kind) {
    case 'removeFactor':
      return state.change('removed', (user) => removeFactor(server, user, task.factor.id));
    case 'removePasskey':
      return state.change('removed', (user) => removePasskey(server, user, task.passkey.id));
    case 'unlink':
      return state.change('removed', (user) => unlink(server, user, task.identity.providerId));
    case 'endSession':
      return state.change('ended', (user) => endSession(server, user, task.session.id));
    case 'endAll':
      return state.leave('signedOut', (user) => endAllSessions(server, user));
    case 'delete':
      return state.leave('deleted', (user) => deleteAccount(server, user));
    case 'export': {
      const data = await state.ask((user) => exportData(server, user));
      if (data === undefined) return;
      downloadJson('account.json', data);
      state.finish('downloaded');
      return;
    }
    default:
      task satisfies never;
  }
}

/** Explains passkeys and adds one. Browsers open their dialog only after a click. */
export function PasskeyView({ server, state, texts }: AccountViewProps) {
  return (
    <>
      <Text>{texts.own.passkey.text}</Text>
      <Submit
        state={state}
        texts={texts}
        label={texts.own.passkey.submit}
        onPress={() => void state.change('added', (user) => addPasskey(server, user))}
      />
    </>
  );
}

interface LinkViewProps extends AccountViewProps {
  readonly provider: OfferedProvider;
  readonly hosted: Hosted;
}

/** Leaves for a provider, whose account is then linked. */
export function LinkView({ state, texts, provider, hosted }: LinkViewProps) {
  const { own, page } = texts;
  return (
    <>
      <Text>{own.linkText}</Text>
      <Submit
        state={state}
        texts={texts}
        label={page.signIn.provider(provider.name)}
        onPress={() => hosted.goToProvider(provider.id, { kind: 'link', uid: state.uid })}
      />
    </>
  );
}
