import { type SubmitEvent, useRef, useState } from 'react';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Notice, Text } from '../shell/text.tsx';
import type { ResetMailForm, ResetMailOffer } from './screen.ts';
import type { Texts } from './texts.ts';

interface ResetMailOfferViewProps {
  readonly offer: ResetMailOffer;
  readonly messages: Texts;
}

/** Suggests a password reset, with a button that sends the email. */
export function ResetMailOfferView({ offer, messages }: ResetMailOfferViewProps) {
  const { progress, send } = offer;
  const { send: label, sent } = messages.resetMail;
  return (
    <>
      <Text>{messages.resetAdvice}</Text>
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

interface ResetMailFormViewProps {
  readonly form: ResetMailForm;
  readonly messages: Texts;
}

/** The form for requesting a new link after the old one became invalid. */
export function ResetMailFormView({ form, messages }: ResetMailFormViewProps) {
  const [email, setEmail] = useState('');
  const [wasInvalid, setInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { progress, send } = form;
  const { invitation, label, invalid, send: sendLabel, sent } = messages.resetMail;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    // `validity` is the browser's check of the format.
    const isValid = email !== '' && input.current?.validity.valid === true;
    setInvalid(!isValid);
    if (isValid) send(email.trim());
    else input.current?.focus();
  }

  return (
    <Form onSubmit={submit} noValidate>
      <Notice tone="success" text={progress.kind === 'sent' ? sent : ''} />
      {progress.kind !== 'sent' && (
        <>
          <Text>{invitation}</Text>
          <Field
            label={label}
            type="email"
            autoComplete="email"
            value={email}
            onChange={setEmail}
            error={wasInvalid ? invalid : ''}
            inputRef={input}
          />
          <Notice tone="error" text={progress.kind === 'failed' ? messages.problems[progress.problem] : ''} />
          <ActionButton label={sendLabel} busyLabel={progress.kind === 'busy' ? messages.busy : undefined} />
        </>
      )}
    </Form>
  );
}
