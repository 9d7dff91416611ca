import { type SubmitEvent, useRef, useState } from 'react';
import { ActionButton, Field, Form } from '../../shell/form.tsx';
import { Facts, Notice, Text } from '../../shell/text.tsx';
import { OtherWay, useEmail } from '../forms.tsx';
import { NewPasswordFields, useNewPassword } from '../new-password-fields.tsx';
import type { Server } from '../server.ts';
import { changeEmail, changeName, changePassword } from './calls.ts';
import { type AccountTexts, describeAccountProblem } from './texts.ts';
import type { AccountState } from './use-account.ts';

export interface AccountViewProps {
  readonly server: Server;
  readonly state: AccountState;
  readonly texts: AccountTexts;
  /** Formats a time in the language of the page. */
  readonly formatDate: (timeMs: number) => string;
}

type FormProps = Pick<AccountViewProps, 'server' | 'state' | 'texts'>;

/** The problem of the last request. */
export function AccountProblemNotice({
  state: { progress },
  texts,
}: Pick<AccountViewProps, 'state' | 'texts'>) {
  const text = progress.kind === 'failed' ? describeAccountProblem(progress.problem, texts) : '';
  return <Notice tone="error" text={text} />;
}

interface SubmitProps extends Pick<AccountViewProps, 'state' | 'texts'> {
  readonly label: string;
  readonly onPress?: () => void;
}

/** The end of every form: the problem, the button, and a way back. */
export function Submit({ state, texts, label, onPress }: SubmitProps) {
  return (
    <>
      <AccountProblemNotice state={state} texts={texts} />
      <ActionButton
        label={label}
        busyLabel={state.progress.kind === 'busy' ? texts.shared.busy : undefined}
        {...(onPress === undefined ? {} : { onPress })}
      />
      <OtherWay label={texts.own.cancel} onPress={state.cancel} />
    </>
  );
}

export function NameForm({ server, state, texts }: FormProps) {
  const [name, setName] = useState(state.account?.name ?? '');
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    void state.change('saved', (user) => changeName(server, user, name.trim()));
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Field
        label={texts.own.name}
        type="text"
        autoComplete="name"
        value={name}
        onChange={setName}
        error=""
        inputRef={null}
      />
      <Submit state={state} texts={texts} label={texts.own.save} />
    </Form>
  );
}

export function EmailForm({ server, state, texts }: FormProps) {
  const email = useEmail(texts);
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (email.check()) void state.change('sent', (user) => changeEmail(server, user, email.value));
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Text>{texts.own.changeEmail.text}</Text>
      <Facts facts={[{ label: texts.credentials.currentEmail, value: state.account?.email ?? '' }]} />
      <Field {...email.field} label={texts.credentials.newEmail} autoComplete="email" />
      <Submit state={state} texts={texts} label={texts.own.changeEmail.submit} />
    </Form>
  );
}

export function PasswordForm({ server, state, texts }: FormProps) {
  const password = useNewPassword(server);
  const input = useRef<HTMLInputElement>(null);
  const { newPassword } = texts.credentials;
  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (password.check()) void state.change('saved', (user) => changePassword(server, user, password.value));
    else input.current?.focus();
  }
  return (
    <Form onSubmit={submit} noValidate>
      <Text>{newPassword.text}</Text>
      {/* Tells password managers to which account the password belongs. */}
      <input type="email" name="email" autoComplete="username" value={state.account?.email} readOnly hidden />
      <NewPasswordFields
        password={password}
        label={newPassword.label}
        messages={newPassword}
        inputRef={input}
      />
      <Submit state={state} texts={texts} label={newPassword.save} />
    </Form>
  );
}
