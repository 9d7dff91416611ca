import { ActionButton } from '../shell/form.tsx';
import { Facts, Notice, Text } from '../shell/text.tsx';
import type { Messages } from './messages/messages.ts';
import type { ActionScreen, Change, Factor } from './screen.ts';

interface ConfirmViewProps {
  readonly screen: ActionScreen & { readonly kind: 'confirm' };
  readonly messages: Messages;
}

/** Shows the pending change, with a button that makes it. */
export function ConfirmView({ screen, messages }: ConfirmViewProps) {
  const { change, progress, confirm } = screen;
  const { text, button } = messages.confirm[change.kind];
  return (
    <>
      <Text>{text}</Text>
      <Facts facts={listFacts(change, messages.labels)} />
      <Notice tone="error" text={progress.kind === 'failed' ? messages.problems[progress.problem] : ''} />
      <ActionButton
        label={button}
        busyLabel={progress.kind === 'busy' ? messages.busy : undefined}
        onPress={confirm}
      />
    </>
  );
}

function listFacts(change: Change, labels: Messages['labels']) {
  switch (change.kind) {
    case 'verifyEmail':
      return [{ label: labels.account, value: change.email }];
    case 'verifyAndChangeEmail':
      return [
        { label: labels.currentEmail, value: change.email },
        { label: labels.newEmail, value: change.newEmail },
      ];
    case 'recoverEmail':
      return [{ label: labels.restoredEmail, value: change.email }];
    case 'revertSecondFactorAddition':
      return [
        { label: labels.account, value: change.email },
        { label: labels.factor, value: describeFactor(change.factor, labels) },
      ];
    default:
      return change satisfies never;
  }
}

function describeFactor(factor: Factor, labels: Messages['labels']): string {
  switch (factor.kind) {
    case 'named':
      return factor.name;
    case 'phone':
      return labels.phone(factor.number);
    case 'authenticator':
      return labels.authenticator;
    default:
      return factor satisfies never;
  }
}
