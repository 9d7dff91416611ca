import type { SubmitEvent } from 'react';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Notice, Text } from '../shell/text.tsx';
import { busyLabel, OtherWay, ProblemNotice, useEmail, type ViewProps } from './forms.tsx';
import type { Stage } from './use-hosted.ts';

interface LinkFormProps extends ViewProps {
  readonly stage: Extract<Stage, { readonly kind: 'link' | 'address' }>;
}

/** The form that sends a sign-in link, and the one for the address of a link that another browser requested. */
export function LinkForm({ hosted, texts, stage }: LinkFormProps) {
  const email = useEmail(texts, stage.email);
  const { link } = texts.own;
  const isAddress = stage.kind === 'address';

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (!email.check()) return;
    if (isAddress) hosted.finishLink(email.value);
    else hosted.sendLink(email.value);
  }

  return (
    <>
      <Form onSubmit={submit} noValidate>
        <Text>{isAddress ? link.address : link.invitation}</Text>
        <Field {...email.field} autoComplete="email" />
        <ProblemNotice hosted={hosted} texts={texts} />
        <ActionButton
          label={isAddress ? texts.own.signIn.submit : link.send}
          busyLabel={busyLabel({ hosted, texts })}
        />
      </Form>
      <OtherWay label={texts.own.forgot.back} onPress={() => hosted.show('signIn')} />
    </>
  );
}

interface SentLinkProps extends ViewProps {
  readonly email: string;
}

/** The view until the user opens the link. */
export function SentLink({ hosted, texts, email }: SentLinkProps) {
  const { link, forgot } = texts.own;
  return (
    <>
      <Notice tone="success" text={link.sent(email)} />
      <ProblemNotice hosted={hosted} texts={texts} />
      <OtherWay label={link.again} onPress={() => hosted.showLink(email)} />
      <OtherWay label={forgot.back} onPress={() => hosted.show('signIn')} />
    </>
  );
}
