import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { RequirementList } from '../action/new-password-view.tsx';
import { checkPassword, LEAST_POLICY, type PasswordPolicy } from '../action/password.ts';
import { ActionButton, Field, Form } from '../shell/form.tsx';
import { busyLabel, OtherWay, ProblemNotice, useEmail, type ViewProps } from './forms.tsx';
import type { Server } from './server.ts';

/** The form for a new account. */
export function SignUpForm({ hosted, texts, server }: ViewProps & { readonly server: Server }) {
  const email = useEmail(texts);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');
  const [policy, setPolicy] = useState<PasswordPolicy>(LEAST_POLICY);
  const [wasIncomplete, setIncomplete] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const { newPassword } = texts.link;
  const requirements = checkPassword(policy, password);
  const isComplete = requirements.every(({ isMet }) => isMet);

  useEffect(() => {
    let isWanted = true;
    void server.readPolicy().then((read) => {
      if (isWanted) setPolicy(read);
    });
    return () => {
      isWanted = false;
    };
  }, [server]);

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    setIncomplete(!isComplete);
    if (!email.check()) return;
    if (isComplete) hosted.signUp(email.value, password, name.trim());
    else input.current?.focus();
  }

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
        <Field
          label={texts.own.signIn.password}
          type="password"
          autoComplete="new-password"
          value={password}
          onChange={setPassword}
          error={wasIncomplete && !isComplete ? newPassword.missing : ''}
          describedBy="requirements"
          inputRef={input}
        />
        <RequirementList id="requirements" requirements={requirements} messages={newPassword} />
        <ProblemNotice hosted={hosted} texts={texts} />
        <ActionButton label={texts.own.signUp.submit} busyLabel={busyLabel({ hosted, texts })} />
      </Form>
      <OtherWay label={texts.own.signUp.known} onPress={() => hosted.show('signIn')} />
    </>
  );
}
