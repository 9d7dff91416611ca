import { useEffect, useState } from 'react';
import type { AuthEvent } from '../relay/auth-event.ts';
import { PageCard, Working } from '../shell/page-card.tsx';
import { Text } from '../shell/text.tsx';
import { ChooseUserView } from './choose-user-view.tsx';
import type { Outcome } from './deliver-event.ts';
import type { Messages } from './messages/messages.ts';
import type { HandlerPage as Page, WaitingApp } from './parameters.ts';

/** Passes an event to the app. */
export type Deliver = (app: WaitingApp, event: AuthEvent) => Promise<Outcome>;

interface HandlerPageProps {
  readonly page: Page;
  readonly messages: Messages;
  readonly deliver: Deliver;
}

/** The page of a sign-in with another provider. */
export function HandlerPage({ page, messages, deliver }: HandlerPageProps) {
  const [event, setEvent] = useState<AuthEvent | undefined>(page.kind === 'deliver' ? page.event : undefined);
  const [outcome, setOutcome] = useState<Outcome | undefined>(page.kind === 'problem' ? page : undefined);
  useEffect(() => {
    if ('app' in page && event !== undefined) void deliver(page.app, event).then(setOutcome);
  }, [page, event, deliver]);
  if (outcome?.kind === 'problem') {
    const { heading, text } = messages.problems[outcome.problem];
    return (
      <PageCard drawing="warning" tone="error" heading={heading} screen={outcome.problem}>
        <Text>{text}</Text>
      </PageCard>
    );
  }
  if (outcome?.kind === 'delivered')
    return (
      <PageCard drawing="check" tone="success" heading={messages.delivered.heading} screen="delivered">
        <Text>{messages.delivered.text}</Text>
      </PageCard>
    );
  if (page.kind === 'choose' && event === undefined)
    return <ChooseUserView page={page} messages={messages} onChoose={setEvent} />;
  return (
    <PageCard drawing="lock" heading={messages.delivering} screen="delivering">
      <Working />
    </PageCard>
  );
}
