import { ActionButton } from '../shell/form.tsx';
import { Facts, Notice, Text } from '../shell/text.tsx';
import type { ActionScreen, Change, Factor } from './screen.ts';
import type { Texts } from './texts.ts';

interface ConfirmViewProps {
  readonly screen: ActionScreen & { readonly kind: 'confirm' };
  readonly messages: Texts;
}

/** Shows the pending change, with a button that makes it. */
export function ConfirmView({ screen, messages }: ConfirmViewProps) {
  const { change, progress, confirm } = screen;
  const { text, button } = messages.confirm[change.kind];
  return (
    <>
      <Text>{text}</Text>
      <Facts facts={listFacts(change, messages)} />
      <Notice tone="error" text={progress.kind === 'failed' ? messages.problems[progress.problem] : ''} />
      <ActionButton
        label={button}
        busyLabel={progress.kind === 'busy' ? messages.busy : undefined}
        onPress={confirm}
      />
    </>
  );
}

function listFacts(change: Change, messages: Texts) {
  switch (change.kind) {
    case 'verifyEmail':
      return [{ label: messages.labels.account, value: change.email }];
    case 'verifyAndChangeEmail':
      return [
        { label: messages.currentEmail, value: change.email },
        { label: messages.newEmail, value: change.newEmail },
      ];
    case 'recoverEmail':
      return [{ label: messages.restoredEmail, value: change.email }];
    case 'revertSecondFactorAddition':
      return [
        { label: messages.labels.account, value: change.email },
        { label: messages.removedFactor, value: describeFactor(change.factor, messages) },
      ];
    default:
      return change satisfies never;
  }
}

function describeFactor(factor: Factor, messages: Texts): string {
  switch (factor.kind) {
    case 'named':
      return factor.name;
    case 'phone':
      return messages.phoneFactor(factor.number);
    case 'authenticator':
      return messages.labels.authenticator;
    default:
      return factor satisfies never;
  }
}
