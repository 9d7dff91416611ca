import { type SubmitEvent, useRef, useState } from 'react';
import { loadMessages } from '../action/credential-messages/load.ts';
import type { Language } from '../shell/document.ts';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { Working } from '../shell/page-card.tsx';
import { useMessages } from '../shell/use-messages.ts';
import { busyLabel, OtherWay, ProblemNotice, useEmail, type ViewProps } from './forms.tsx';
import { NewPasswordFields, useNewPassword } from './new-password-fields.tsx';
import type { Server } from './server.ts';

interface SignUpFormProps extends ViewProps {
  readonly language: Language;
  readonly server: Server;
}

/** The form for a new account. The texts about passwords are loaded here, because few visitors need them. */
export function SignUpForm({ hosted, texts, language, server }: SignUpFormProps) {
  const credentials = useMessages(loadMessages, language);
  const email = useEmail(texts);
  const [name, setName] = useState('');
  const password = useNewPassword(server);
  const input = useRef<HTMLInputElement>(null);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    const isComplete = password.check();
    if (!email.check()) return;
    if (isComplete) hosted.signUp(email.value, password.value, name.trim());
    else input.current?.focus();
  }

  if (credentials === undefined) return <Working />;
  return (
    <>
      <Form onSubmit={submit} noValidate>
        <Field
          label={texts.own.signUp.name}
          type="text"
          autoComplete="name"
          value={name}
          onChange={setName}
          error=""
          inputRef={null}
        />
        <Field {...email.field} autoComplete="username" />
        <NewPasswordFields
          password={password}
          label={texts.own.signIn.password}
          messages={credentials.newPassword}
          inputRef={input}
        />
        <ProblemNotice hosted={hosted} texts={texts} />
        <ActionButton label={texts.own.signUp.submit} busyLabel={busyLabel({ hosted, texts })} />
      </Form>
      <OtherWay label={texts.own.signUp.known} onPress={() => hosted.show('signIn')} />
    </>
  );
}
