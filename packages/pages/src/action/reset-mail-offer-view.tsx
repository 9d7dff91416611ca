import { ActionButton } from '../shell/action-button.tsx';
import { Notice } from '../shell/notice.tsx';
import { Text } from '../shell/text.tsx';
import type { ResetMailOffer } from './action-screen.ts';
import type { Messages } from './messages/messages.ts';

interface ResetMailOfferViewProps {
  readonly offer: ResetMailOffer;
  readonly messages: Messages;
}

/** The advice to choose a new password, and a button that sends the mail for it. */
export function ResetMailOfferView({ offer, messages }: ResetMailOfferViewProps) {
  const { progress, send } = offer;
  const { advice, send: label, sent } = messages.resetMail;
  return (
    <>
      <Text>{advice}</Text>
      <Notice tone="success" text={progress.kind === 'sent' ? sent : ''} />
      <Notice tone="error" text={progress.kind === 'failed' ? messages.problems[progress.problem] : ''} />
      {progress.kind !== 'sent' && (
        <ActionButton
          label={label}
          variant="outlined"
          busyLabel={progress.kind === 'busy' ? messages.busy : undefined}
          onPress={send}
        />
      )}
    </>
  );
}
