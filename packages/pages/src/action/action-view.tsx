import { ActionButton } from '../shell/action-button.tsx';
import type { DrawingName } from '../shell/drawing.tsx';
import { PageCard } from '../shell/page-card.tsx';
import { Text } from '../shell/text.tsx';
import { Working } from '../shell/working.tsx';
import type { ActionScreen, Change } from './action-screen.ts';
import { ConfirmView } from './confirm-view.tsx';
import { ContinueLink } from './continue-link.tsx';
import type { Messages } from './messages/messages.ts';
import { NewPasswordView } from './new-password-view.tsx';
import { ResetMailFormView } from './reset-mail-form-view.tsx';
import { ResetMailOfferView } from './reset-mail-offer-view.tsx';

interface ActionViewProps {
  readonly screen: ActionScreen;
  readonly messages: Messages;
}

const DRAWINGS: Readonly<Record<Change['kind'], DrawingName>> = {
  verifyEmail: 'mail',
  verifyAndChangeEmail: 'mail',
  recoverEmail: 'mail',
  revertSecondFactorAddition: 'shield',
};

/** The page behind the link of a mail, in each of its states. */
export function ActionView({ screen, messages }: ActionViewProps) {
  switch (screen.kind) {
    case 'checking':
      return (
        <PageCard drawing="lock" heading={messages.checking} screen={screen.kind}>
          <Working />
        </PageCard>
      );
    case 'failed':
      return (
        <PageCard drawing="warning" tone="error" heading={messages.failed} screen={screen.kind}>
          <Text>{messages.problems[screen.problem]}</Text>
          <ActionButton label={messages.retry} onPress={screen.retry} />
        </PageCard>
      );
    case 'newPassword':
      return (
        <PageCard drawing="lock" heading={messages.newPassword.heading} screen={screen.kind}>
          <NewPasswordView screen={screen} messages={messages} />
        </PageCard>
      );
    case 'confirm': {
      const { kind } = screen.change;
      return (
        <PageCard drawing={DRAWINGS[kind]} heading={messages.confirm[kind].heading} screen={screen.kind}>
          <ConfirmView screen={screen} messages={messages} />
        </PageCard>
      );
    }
    case 'done': {
      const { heading, text } = messages.done[screen.done];
      return (
        <PageCard drawing="check" tone="success" heading={heading} screen={screen.kind}>
          <Text>{text}</Text>
          {screen.resetMail && <ResetMailOfferView offer={screen.resetMail} messages={messages} />}
          <ContinueLink url={screen.continueUrl} messages={messages} />
        </PageCard>
      );
    }
    case 'refused': {
      const { heading, text } = messages.refused[screen.reason];
      return (
        <PageCard drawing="warning" tone="error" heading={heading} screen={screen.kind}>
          <Text>{text}</Text>
          {screen.resetMail && <ResetMailFormView form={screen.resetMail} messages={messages} />}
          {(screen.resetMail === undefined || screen.resetMail.progress.kind === 'sent') && (
            <ContinueLink url={screen.continueUrl} messages={messages} />
          )}
        </PageCard>
      );
    }
    default:
      return screen satisfies never;
  }
}
