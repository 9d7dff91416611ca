import { type SubmitEvent, useRef, useState } from 'react';
import { ActionButton } from '../shell/action-button.tsx';
import { Field } from '../shell/field.tsx';
import { Form } from '../shell/form.tsx';
import { Notice } from '../shell/notice.tsx';
import { Text } from '../shell/text.tsx';
import type { ResetMailForm } from './action-screen.ts';
import type { Messages } from './messages/messages.ts';

interface ResetMailFormViewProps {
  readonly form: ResetMailForm;
  readonly messages: Messages;
}

/** Where somebody whose link is of no use any more asks for another. */
export function ResetMailFormView({ form, messages }: ResetMailFormViewProps) {
  const [email, setEmail] = useState('');
  const [wasInvalid, setInvalid] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { progress, send } = form;
  const { invitation, label, invalid, send: sendLabel, sent } = messages.resetMail;

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    // As browsers judge an address; whether it is one, only a mail can tell.
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
