import Button from '@mui/material/Button';
import type { Language } from '../shell/document.ts';
import type { DrawingName } from '../shell/drawing.tsx';
import { ActionButton } from '../shell/form.tsx';
import { PageCard, Working } from '../shell/page-card.tsx';
import { Text } from '../shell/text.tsx';
import type { Fetch } from './api.ts';
import { ConfirmView } from './confirm-view.tsx';
import { NewPasswordView } from './new-password-view.tsx';
import type { ActionPage as Page } from './parameters.ts';
import { ResetMailFormView, ResetMailOfferView } from './reset-mail-views.tsx';
import type { ActionScreen, Change } from './screen.ts';
import type { Texts } from './texts.ts';
import { type ProofsOf, useAction } from './use-action.ts';

interface ContinueLinkProps {
  readonly url: URL | undefined;
  readonly messages: Texts;
}

/** A link to the continue URL that shows the host. Without a continue URL, a text says that the page can be closed. */
function ContinueLink({ url, messages }: ContinueLinkProps) {
  if (url === undefined) return <Text>{messages.close}</Text>;
  return (
    <Button
      href={url.href}
      rel="noreferrer"
      variant="contained"
      size="large"
      fullWidth
      disableElevation
      disableRipple
    >
      {messages.continueTo(url.host)}
    </Button>
  );
}

interface ActionViewProps {
  readonly screen: ActionScreen;
  readonly messages: Texts;
}

const DRAWINGS: Readonly<Record<Change['kind'], DrawingName>> = {
  verifyEmail: 'mail',
  verifyAndChangeEmail: 'mail',
  recoverEmail: 'mail',
  revertSecondFactorAddition: 'shield',
};

/** Draws the page of an email link in a given state. */
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
    case 'rejected': {
      const { heading, text } = messages.rejected[screen.reason];
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

interface ActionPageProps {
  readonly page: Page;
  readonly language: Language;
  readonly messages: Texts;
  readonly fetch: Fetch;
  /**
   * Returns the proofs that the page sends when it requests an email: the solution of a challenge, an App Check token.
   */
  readonly proofsOf: ProofsOf;
}

/** The page of an email link. */
export function ActionPage({ page, language, messages, fetch, proofsOf }: ActionPageProps) {
  return <ActionView screen={useAction(page, language, fetch, proofsOf)} messages={messages} />;
}
